/** Where notices go, by the operator's variables (docs/approvals.md). */
export interface NotifySettings {
  /** The address at which people reach this installation, such as `https://callboard.example.org`. */
  readonly publicUrl: string | undefined;
  readonly webhook: WebhookSettings | undefined;
  readonly mail: MailSettings | undefined;
}

export interface WebhookSettings {
  readonly url: string;
  readonly secret: string;
}

export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. Otherwise STARTTLS is used where the server offers it, and always with a password to another machine. */
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly from: string;
  /** Who gets every notice. Further addresses are in the settings page. */
  readonly to: readonly string[];
  /** True if mail to them has a link with which its reader answers without signing in. */
  readonly mayAnswer: boolean;
}

export const noNotices: NotifySettings = { publicUrl: undefined, webhook: undefined, mail: undefined };

type Variables = Readonly<Record<string, string | undefined>>;
type Problem = (text: string) => undefined;

/** Variables that hold secrets or may. They are sent to workers, and are in no environment. */
export const notifyVariables = [
  'CALLBOARD_WEBHOOK_URL',
  'CALLBOARD_WEBHOOK_SECRET',
  'CALLBOARD_SMTP_URL',
  'CALLBOARD_MAIL_FROM',
  'CALLBOARD_MAIL_TO',
  'CALLBOARD_MAIL_ANSWERS',
] as const;

/** Returns the settings, and what is wrong with them. No problem contains a value that may be a secret. */
export function readNotifySettings(source: Variables): {
  readonly settings: NotifySettings;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const problem: Problem = (text) => {
    problems.push(text);
    return undefined;
  };
  const publicUrl = readPublicUrl(source.CALLBOARD_PUBLIC_URL, problem);
  const webhook = readWebhook(source, problem);
  const mail = readMail(source, problem);
  return { settings: { publicUrl, webhook, mail }, problems };
}

/** Returns the values that must not appear in events or logs. */
export function secretsOfNotices({ webhook, mail }: NotifySettings): readonly string[] {
  return [webhook?.url, webhook?.secret, mail?.password].filter((value) => value !== undefined);
}

function readPublicUrl(text: string | undefined, problem: Problem): string | undefined {
  if (text === undefined || text === '') return undefined;
  const url = urlOf(text);
  const isOrigin = url !== undefined && url.pathname === '/' && url.search + url.hash + url.username === '';
  if (!isOrigin || !['http:', 'https:'].includes(url.protocol)) {
    return problem('CALLBOARD_PUBLIC_URL must be an address without a path, such as https://callboard.example.org.');
  }
  return url.origin;
}

function readWebhook(source: Variables, problem: Problem): WebhookSettings | undefined {
  const { CALLBOARD_WEBHOOK_URL: address = '', CALLBOARD_WEBHOOK_SECRET: secret = '' } = source;
  if (address === '' && secret === '') return undefined;
  const wrong = problemOfWebhook(address);
  if (wrong !== undefined) return problem(`CALLBOARD_WEBHOOK_URL ${wrong}`);
  if (!isWebhookSecret(secret)) {
    return problem('CALLBOARD_WEBHOOK_SECRET must be "whsec_" and the base64 of 24 to 64 random bytes.');
  }
  return { url: address, secret };
}

/** Says what is wrong with the address of a webhook, as the end of a sentence. */
export function problemOfWebhook(address: string): string | undefined {
  const url = urlOf(address);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return 'must be an address such as https://hooks.example.org/callboard.';
  }
  if (url.username + url.password !== '') return 'must have no user or password in it.';
  return address.length > 2_000 ? 'must have at most 2,000 characters.' : undefined;
}

/** True for a secret as Standard Webhooks writes it: `whsec_` and base64 of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  if (encoded === undefined) return false;
  const bytes = Math.floor((encoded.replace(/=+$/, '').length * 3) / 4);
  return bytes >= 24 && bytes <= 64;
}

function readMail(source: Variables, problem: Problem): MailSettings | undefined {
  const address = source.CALLBOARD_SMTP_URL || undefined;
  const from = source.CALLBOARD_MAIL_FROM || undefined;
  const to = (source.CALLBOARD_MAIL_TO ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const answers = source.CALLBOARD_MAIL_ANSWERS || '0';
  if (address === undefined) {
    return to.length === 0 ? undefined : problem('CALLBOARD_MAIL_TO needs CALLBOARD_SMTP_URL, the server that sends.');
  }
  const url = urlOf(address);
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    return problem('CALLBOARD_SMTP_URL must be an address such as smtp://user:password@mail.example.org:587.');
  }
  if (from === undefined || !isMailAddress(from)) {
    return problem('CALLBOARD_MAIL_FROM must be the mail address that notices come from.');
  }
  const wrong = to.find((each) => !isMailAddress(each));
  if (wrong !== undefined) return problem(`CALLBOARD_MAIL_TO: '${wrong.slice(0, 100)}' is no mail address.`);
  if (answers !== '0' && answers !== '1') return problem('CALLBOARD_MAIL_ANSWERS must be 1 or 0.');
  const secure = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    user: url.username === '' ? undefined : decoded(url.username),
    password: url.password === '' ? undefined : decoded(url.password),
    from,
    to: [...new Set(to)],
    mayAnswer: answers === '1',
  };
}

/** True for one plain address, without a name or a list. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(text);
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
