import type { FastifyInstance, FastifyRequest } from 'fastify';

import { cookieIn } from '../cookies.ts';
import { formOf } from './forms.ts';

/** Color themes of pages; `system`: that of the reader's device. */
export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

/** Bound to the host where people come by https. */
const COOKIES = { plain: 'marque.theme', secure: '__Host-marque.theme' };

const YEAR_SECONDS = 31_536_000;

/**
 * Returns the colors that a reader chose. The server writes them into the page, so that no other ones are seen first.
 */
export function themeOf({ headers }: Pick<FastifyRequest, 'headers'>): Theme {
  return readTheme(cookieIn(headers.cookie, COOKIES.secure) ?? cookieIn(headers.cookie, COOKIES.plain));
}

function readTheme(text: string | null | undefined): Theme {
  return THEMES.find((theme) => theme === text) ?? 'system';
}

/**
 * Adds `POST /theme`, where the switch sends a choice. It redirects to the page with the switch.
 *
 * @param isSecure whether people come by https.
 */
export function addThemeSwitch(scope: FastifyInstance, isSecure: boolean): void {
  const cookie = isSecure ? COOKIES.secure : COOKIES.plain;
  scope.post('/theme', (request, reply) => {
    const theme = readTheme(formOf(request).get('theme'));
    const age = theme === 'system' ? 0 : YEAR_SECONDS;
    const how = `Max-Age=${age}; Path=/; HttpOnly${isSecure ? '; Secure' : ''}; SameSite=Lax`;
    return reply.header('set-cookie', `${cookie}=${theme}; ${how}`).redirect(pathOf(request.headers.referer), 303);
  });
}

/** Returns the page that a form was on, as an address of this service. Two slashes would lead to another host. */
function pathOf(referer = ''): string {
  return /^https?:\/\/[^/]+(\/(?![/\\])[^#]*)/.exec(referer)?.[1] ?? '/';
}
