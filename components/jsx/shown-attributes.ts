import { escapeHiddenLines } from '@/lib/base/escape-hidden';

/** Attributes whose text people read or hear: tooltips and names for screen readers. */
const shown = ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder'] as const;

/** Most texts are plain, and have nothing to look for. */
const plain = /^[\n -~]*$/;

type Props = Readonly<Record<string, unknown>> | null;

/**
 * Returns the properties of an element with each hidden character of its shown attributes as `\u{202e}`, as `escapeHiddenLines` does. Of a
 * component, only `aria-label` is such an attribute: its `title` may be a heading or the value of a field.
 */
export function withShownAttributes(type: unknown, props: Props): Props {
  if (props === null) return props;
  let changed: Record<string, unknown> | undefined;
  for (const name of typeof type === 'string' ? shown : (['aria-label'] as const)) {
    const text = props[name];
    if (typeof text !== 'string' || plain.test(text)) continue;
    const written = escapeHiddenLines(text);
    if (written !== text) changed = { ...(changed ?? props), [name]: written };
  }
  return changed ?? props;
}
