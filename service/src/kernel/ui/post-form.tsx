import { type ComponentProps, createContext } from 'preact';
import { useContext } from 'preact/hooks';

import { VIEWER_FIELD } from './forms.ts';
import type { Viewer } from './layout.tsx';

/** Names the signed-in viewer of a page to its forms; undefined: anyone else. */
export const PageViewer = createContext<Viewer | undefined>(undefined);

/** Renders a form that changes something. It names the person that its page is made for: see `refuseFormsOfOthers`. */
export function PostForm({ children, ...attributes }: ComponentProps<'form'>) {
  const viewer = useContext(PageViewer);
  return (
    <form method="post" {...attributes}>
      {children}
      {viewer === undefined ? null : <input type="hidden" name={VIEWER_FIELD} value={viewer.id} />}
    </form>
  );
}
