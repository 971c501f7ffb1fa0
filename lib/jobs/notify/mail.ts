import type { Told } from '@/lib/store/outbox';
import { isThisMachine } from '@/lib/tools/mcp/address-guard';
import { type AskedItem, inboxUrl, noticeSentence } from './notice-words';
import type { MailSettings } from './notify-settings';

export interface Mail {
  /** The same in every attempt. Becomes the Message-ID, by which mail programs drop repeats. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A question of a mail. */
export interface MailedItem {
  readonly item: AskedItem;
  /** The page on which the reader answers without signing in, if they may. */
  readonly answerUrl: string | undefined;
}

/** A mail lists this many questions. The inbox has the others. */
const mostListed = 20;

/** Sends a mail. Throws an error whose message has no password. */
export async function sendMail(settings: MailSettings, mail: Mail): Promise<void> {
  const { host, port, secure, user, password, from } = settings;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: !secure && password !== undefined && !isThisMachine(host),
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 15_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: { name: 'Callboard', address: from },
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: `<${mail.id}@${from.split('@').at(-1) ?? 'callboard'}>`,
      // RFC 3834: no out-of-office answers to it.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } finally {
    transport.close();
  }
}

/** Writes the mail about questions of one run, which are at least one. */
export function questionMail(id: string, to: string, items: readonly MailedItem[], base: string): Mail {
  const [first] = items;
  if (first === undefined) throw new Error('A mail needs a question');
  const { projectName, runId } = first.item;
  const what = items.length === 1 ? noticeSentence(first.item) : `${items.length} questions`;
  const shown = items.slice(0, mostListed);
  const rest = items.length - shown.length;
  const more =
    rest === 0
      ? undefined
      : { words: `${rest} more in the inbox`, url: `${base}/inbox?run=${encodeURIComponent(runId)}` };
  const why = 'A run of Callboard waits for this answer. Opening a link changes nothing.';
  return {
    id,
    to,
    subject: `${what} (${projectName})`,
    text: [
      ...shown.map((each) => textOf(each, base)),
      ...(more === undefined ? [] : [`${more.words}: ${more.url}`]),
      why,
    ].join('\n\n'),
    html: page([
      ...shown.map((each) => htmlOf(each, base)),
      ...(more === undefined ? [] : [`<p><a href="${escaped(more.url)}">${escaped(more.words)}</a></p>`]),
      `<p style="color:#666">${escaped(why)}</p>`,
    ]),
  };
}

/** Writes the mail that tries an address. */
export function testMail(id: string, to: string, base: string): Mail {
  const text = 'This is a test. Questions of runs will come to this address.';
  return {
    ...{ id, to, subject: 'Test of notifications' },
    text: `${text}\n\n${base}/inbox`,
    html: page([`<p>${text}</p>`, `<p><a href="${escaped(`${base}/inbox`)}">Inbox</a></p>`]),
  };
}

/** Writes the mail that tells a person of something. */
export function toldMail(id: string, to: string, { words, href }: Pick<Told, 'words' | 'href'>, base: string): Mail {
  const url = `${base}${href}`;
  const why = 'You get this mail because of what you chose on the page Notices of Callboard.';
  return {
    ...{ id, to, subject: words },
    text: [words, url, why, `${base}/notices`].join('\n\n'),
    html: page([
      `<p><strong>${escaped(words)}</strong><br><a href="${escaped(url)}">Open in Callboard</a></p>`,
      `<p style="color:#666">${escaped(why)} <a href="${escaped(`${base}/notices`)}">Change it</a></p>`,
    ]),
  };
}

function facts({ projectName, path, createdAt, limitAt }: AskedItem): readonly (readonly [string, string])[] {
  return [
    ['Project', projectName],
    ['Agent', path],
    ['Asked', timeOf(createdAt)],
    ...(limitAt === undefined ? [] : [['Answer until', timeOf(limitAt)] as const]),
  ];
}

function textOf({ item, answerUrl }: MailedItem, base: string): string {
  return [
    noticeSentence(item),
    ...facts(item).map(([name, value]) => `${name}: ${value}`),
    `Open: ${inboxUrl(base, item.id)}`,
    ...(answerUrl === undefined ? [] : [`Answer without signing in, once, do not forward: ${answerUrl}`]),
  ].join('\n');
}

function htmlOf({ item, answerUrl }: MailedItem, base: string): string {
  const lines = facts(item).map(([name, value]) => `${escaped(name)}: ${escaped(value)}`);
  const open = `<a href="${escaped(inboxUrl(base, item.id))}">Open in Callboard</a>`;
  const answer =
    answerUrl === undefined
      ? ''
      : ` · <a href="${escaped(answerUrl)}">Answer without signing in</a> (once; do not forward this mail)`;
  return `<p><strong>${escaped(noticeSentence(item))}</strong><br>${lines.join('<br>')}<br>${open}${answer}</p>`;
}

function page(parts: readonly string[]): string {
  return `<!doctype html><html lang="en"><body style="font-family:sans-serif;font-size:14px;line-height:1.5">${parts.join('')}</body></html>`;
}

/** `2026-11-23 05:40 UTC`. */
function timeOf(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => names[character] ?? character);
}
