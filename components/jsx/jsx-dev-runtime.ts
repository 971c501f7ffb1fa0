import type { ElementType, Key, ReactElement } from 'react';
import { jsxDEV as element, type JSXSource, Fragment as ReactFragment } from 'react/jsx-dev-runtime';
import { withShownAttributes } from './shown-attributes';

/* Works like ./jsx-runtime, while the app is developed and in tests. */

export type { JSX } from 'react/jsx-dev-runtime';

export const Fragment = ReactFragment;

export function jsxDEV(
  type: ElementType,
  props: Readonly<Record<string, unknown>>,
  key: Key | undefined,
  isStatic: boolean,
  source?: JSXSource,
  self?: unknown,
): ReactElement {
  return element(type, withShownAttributes(type, props), key, isStatic, source, self);
}
