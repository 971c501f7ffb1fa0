import type { CallPage } from '@/lib/client/model-calls';
import { payloadText } from '@/lib/trace/payload-text';
import { payloadsOf } from '@/lib/trace/payloads';
import type { ShortEvent } from '@/lib/trace/short-event';

/** A text of a step in both runs. */
export interface TextPair {
  readonly title: string;
  /** `undefined` if the run has no such text. */
  readonly a: string | undefined;
  readonly b: string | undefined;
  /** True if a long text was cut, so that only its beginning is compared. */
  readonly isCut: boolean;
}

interface NamedText {
  readonly title: string;
  readonly text: string;
  readonly isCut: boolean;
}

/** Returns the texts without those in `missing`, which the source of an imported run did not record. */
export function recordedTexts(texts: readonly NamedText[], missing: ReadonlySet<string>): readonly NamedText[] {
  return texts.filter(({ title }) => !missing.has(title.toLowerCase()));
}

/** Returns the texts of an event by their titles. A second text with one title gets a number. */
export function textsOfEvent(event: ShortEvent | undefined): readonly NamedText[] {
  if (event === undefined) return [];
  return numbered(
    payloadsOf(event).map(({ title, value }, part) => ({
      title,
      text: payloadText(value),
      isCut: event.cut?.some((one) => one.part === part) ?? false,
    })),
  );
}

/** Returns the conversation of a model call as texts: the system text, the messages, the answer, and what was set beside them. */
export function textsOfCall(page: CallPage): readonly NamedText[] {
  const { entries, from, tools, params, format } = page;
  const isCut = entries.some(({ text, total }) => text.length < total);
  const of = (roles: readonly string[]) =>
    entries.filter(({ role }) => roles.includes(role)).map(({ title, text }) => `${title}\n${text}`);
  const system = entries.filter(({ role }) => role === 'system').map(({ text }) => text);
  const setup = JSON.stringify({ parameters: params, ...(format && { format }), tools }, null, 2);
  return [
    { title: 'System text', text: system.join('\n'), isCut },
    { title: 'Messages', text: of(['user', 'assistant', 'tool']).join('\n\n'), isCut: isCut || from > 0 },
    { title: 'Tools and parameters', text: setup, isCut: false },
    { title: 'Answer', text: of(['answer']).join('\n\n'), isCut },
  ];
}

/** Puts texts with equal titles beside each other, in the order of a; those that only b has come last. */
export function pairTexts(a: readonly NamedText[], b: readonly NamedText[]): readonly TextPair[] {
  const others = new Map(b.map((one) => [one.title, one]));
  const titles = new Set(a.map(({ title }) => title));
  return [
    ...a.map(({ title, text, isCut }) => {
      const other = others.get(title);
      return { title, a: text, b: other?.text, isCut: isCut || other?.isCut === true };
    }),
    ...b
      .filter(({ title }) => !titles.has(title))
      .map(({ title, text, isCut }) => ({ title, a: undefined, b: text, isCut })),
  ];
}

function numbered(texts: readonly NamedText[]): readonly NamedText[] {
  const counts = new Map<string, number>();
  return texts.map((one) => {
    const count = (counts.get(one.title) ?? 0) + 1;
    counts.set(one.title, count);
    return count === 1 ? one : { ...one, title: `${one.title} (${count})` };
  });
}
