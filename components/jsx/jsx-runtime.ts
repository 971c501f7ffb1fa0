import type { ElementType, Key, ReactElement } from 'react';
import { jsx as element, jsxs as elements, Fragment as ReactFragment } from 'react/jsx-runtime';
import { withShownAttributes } from './shown-attributes';

/*
 * What JSX is compiled to (`jsxImportSource` of tsconfig.json): React's own functions, and tooltips and names for screen readers that hide
 * nothing. Texts between tags are shown with `VisibleText`, which can mark a character by a colour; an attribute cannot.
 */

export type { JSX } from 'react/jsx-runtime';

export const Fragment = ReactFragment;

export function jsx(type: ElementType, props: Readonly<Record<string, unknown>>, key?: Key): ReactElement {
  return element(type, withShownAttributes(type, props), key);
}

export function jsxs(type: ElementType, props: Readonly<Record<string, unknown>>, key?: Key): ReactElement {
  return elements(type, withShownAttributes(type, props), key);
}
