import type { ComponentChildren } from 'preact';

import { type AssetName, assetUrl } from './assets.ts';
import { type Theme, THEMES } from './theme.ts';

/** The signed-in person, as far as the frame of a page shows them. */
export interface Viewer {
  id: string;
  isAdministrator: boolean;
}

/** The content of a page's frame. */
export interface DocumentProps {
  /** The title of the browser's tab; the service's name is added. */
  title: string;
  description?: string;
  /** The service's address, for previews of shared links. */
  baseUrl?: string;
  viewer: Viewer | undefined;
  theme: Theme;
  /** Address of the navigation entry that this page belongs to. */
  current?: string | undefined;
  /** After how many seconds the page reloads itself without JavaScript. */
  refreshSeconds?: number;
  /** True if the page is one column for a form. */
  isNarrow?: boolean;
  /** The path of the Atom feed that follows this page. */
  feed?: string;
  /** Scripts and stylesheets that this page needs besides the common ones. */
  scripts?: readonly AssetName[];
  styles?: readonly AssetName[];
  children: ComponentChildren;
}

/**
 * The configuration of htmx, without features that a strict policy forbids, and without a history of pages that may
 * contain keys.
 */
const HTMX_CONFIG = JSON.stringify({ includeIndicatorCSS: false, history: false });

/** The frame of every page. */
export function Document(props: DocumentProps) {
  const {
    title,
    description,
    baseUrl = '',
    viewer,
    theme,
    current,
    refreshSeconds,
    isNarrow = false,
    feed,
    scripts = [],
    styles = [],
    children,
  } = props;
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title === 'Marque' ? 'Marque: open VIN decoding' : `${title} - Marque`}</title>
        {description === undefined ? null : <SharedAs title={title} description={description} baseUrl={baseUrl} />}
        <meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
        <meta name="htmx-config" content={HTMX_CONFIG} />
        {refreshSeconds === undefined ? null : (
          <noscript>
            <meta http-equiv="refresh" content={String(refreshSeconds)} />
          </noscript>
        )}
        {feed === undefined ? null : <link rel="alternate" type="application/atom+xml" href={feed} title={title} />}
        <link rel="icon" href={assetUrl('icon.svg')} type="image/svg+xml" />
        <link rel="preload" href={assetUrl('inter.woff2')} as="font" type="font/woff2" crossorigin="anonymous" />
        <link rel="preload" href={assetUrl('mono.woff2')} as="font" type="font/woff2" crossorigin="anonymous" />
        {['marque.css' as const, ...styles].map((name) => (
          <link key={name} rel="stylesheet" href={assetUrl(name)} />
        ))}
        <script src={assetUrl('htmx.js')} defer />
        <script src={assetUrl('marque.js')} defer />
        {scripts.map((name) => (
          <script key={name} src={assetUrl(name)} defer />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Header viewer={viewer} current={current} />
        <main id="content" class={isNarrow ? 'narrow' : 'wide'} tabindex={-1}>
          {children}
        </main>
        <Footer theme={theme} />
      </body>
    </html>
  );
}

/** The preview of a shared link (Open Graph). */
function SharedAs({ title, description, baseUrl }: { title: string; description: string; baseUrl: string }) {
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Marque" />
      <meta property="og:title" content={title === 'Marque' ? 'Decode any VIN' : title} />
      <meta property="og:description" content={description} />
      <meta property="og:image" content={`${baseUrl}${assetUrl('share.png')}`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta
        property="og:image:alt"
        content="The VIN 1HGCM82633A004352, its parts named, and what it means: a 2003 Honda Accord"
      />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function Header({ viewer, current }: { viewer: Viewer | undefined; current: string | undefined }) {
  const links = [
    { href: '/docs', text: 'Documentation' },
    ...(viewer === undefined
      ? [
          { href: '/sign-in', text: 'Sign in' },
          { href: '/sign-up', text: 'Create an account' },
        ]
      : [
          { href: '/portal', text: 'Portal' },
          ...(viewer.isAdministrator ? [{ href: '/admin', text: 'Administration' }] : []),
          { href: '/account', text: 'Account' },
        ]),
  ];
  return (
    <header class="top">
      <div class="wide">
        <a class="wordmark" href="/" aria-label="Marque, start page">
          MARQUE
        </a>
        <nav aria-label="Main">
          {links.map(({ href, text }) => (
            <a key={href} href={href} aria-current={href === current ? 'page' : undefined}>
              {text}
            </a>
          ))}
          {viewer === undefined ? null : (
            <form method="post" action="/sign-out">
              <button class="plain">Sign out</button>
            </form>
          )}
        </nav>
      </div>
    </header>
  );
}

function Footer({ theme }: { theme: Theme }) {
  return (
    <footer class="bottom">
      <div class="wide">
        <p>
          Marque is open source under the Apache 2.0 license. Use this service, or{' '}
          <a href="/#run-your-own">run your own</a>.
        </p>
        <nav aria-label="More">
          <a href="/docs">Documentation</a>
          <a href="/openapi.json">openapi.json</a>
          <a href="/status">Status</a>
          <a href="/changelog">Changelog</a>
          <a href="/privacy">Privacy</a>
          <a href="/terms">Terms</a>
        </nav>
        <ThemeSwitch theme={theme} />
      </div>
    </footer>
  );
}

const THEME_NAMES: Readonly<Record<Theme, string>> = { light: 'Light', dark: 'Dark', system: 'System' };

/** The color scheme of all pages: switched by the script or, without it, by a form. */
function ThemeSwitch({ theme }: { theme: Theme }) {
  return (
    <form class="themes" method="post" action="/theme">
      <fieldset>
        <legend class="unseen">Theme</legend>
        {THEMES.map((name) => (
          <button key={name} name="theme" value={name} aria-pressed={name === theme}>
            {THEME_NAMES[name]}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
