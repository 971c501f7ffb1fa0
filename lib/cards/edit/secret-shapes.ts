import { secretKeys } from '@/lib/base/redact';

const isUsualSecret = secretKeys();

/** Last words of names whose values are secrets, beside the usual names, such as in `OPENAI_KEY` and `GITHUB_PAT`. */
const lastWords = new Set(
  'key keys secrets passwords pat cookie auth sig signature dsn bearer pass pwd passcode psk'.split(' '),
);
/** Two last words of names whose values are secrets, such as in `AWS_ACCESS_KEY_ID`. */
const lastPairs = new Set(['keyid', 'secretid', 'secretkeys', 'apikeys', 'accesskeys']);
/** Words that may follow the name of a secret, such as in `AUTH_HEADER` and `CREDENTIALS_JSON`. */
const formats = new Set('json base64 b64 header headers value string raw'.split(' '));
/** After these words, a key or a token is a secret only if it looks random: `--sort-key`, `PRIMARY_KEY`, but `AZURE_SEARCH_KEY`. */
const kinds = new Set(
  'sort primary foreign partition public cache index row group order unique natural object lookup hash map dict event routing message range search shortcut hot stop pad eos bos unk next page max min continuation'.split(
    ' ',
  ),
);
/** `--no-auth` and `--use-key` take no value. */
const switches = new Set('no use skip disable enable allow require print show'.split(' '));

const plainWord =
  /^(?:true|false|none|null|undefined|yes|no|on|off|auto|required|optional|default|disabled|enabled|prompt|ask|basic|bearer|digest|oauth2?|oidc|saml|jwt|token|apikey|\d{1,3})$/i;
const path =
  /^(?:(?:\.{1,2}|~)[\\/]|[A-Za-z]:[\\/]|\/(?:run|etc|home|var|tmp|users|usr|opt|root|mnt|app|secrets?)\/)|^[^\s:]*\.(?:pem|key|crt|cer|p12|pfx|json|txt|ya?ml|env|pub)$/i;

/** True if the name says that the value is a secret, and the value may be one. */
export function isSecret(name: string, value: string): boolean {
  const text = value.trim();
  if (text === '' || plainWord.test(text) || path.test(text)) return false;
  const words = name.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/).flatMap((word) => word.toLowerCase() || []);
  while (words.length > 1 && formats.has(words.at(-1) ?? '')) words.pop();
  const [last = '', before = ''] = words.toReversed();
  if (switches.has(words[0] ?? '')) return false;
  if (kinds.has(before)) return isRandom(text);
  // A column or a field, as in `--key name`.
  if (words.length === 1 && last === 'key') return !/^[a-z_]{1,12}$/.test(text);
  if (lastWords.has(last) || lastPairs.has(before + last)) return true;
  return isUsualSecret(words.join('')) || /(?<!by|com|over|under|tres)pass$/.test(last);
}

/** Beginnings of well-known tokens, in the form of a regular expression. */
const tokenForms = [
  'sk-(?:ant|proj|or|svcacct|lf)-[\\w-]{3,}',
  'sk-(?=[\\w-]*[0-9A-Z])[\\w-]{12,}',
  '[sr]k_(?:live|test)_\\w{4,}',
  'gh[pousr]_\\w{3,}',
  'github_pat_\\w{3,}',
  'gl(?:pat|ptt|dt|rt)-[\\w-]{3,}',
  'xox[abeprs]-[\\w-]{3,}',
  'xapp-[\\w-]{8,}',
  'A(?:KIA|SIA)[0-9A-Z]{12,}',
  'AIza[\\w-]{20,}',
  'ya29\\.[\\w-]{8,}',
  'ntn_\\w{3,}',
  '(?:secret|npm|hf|r8|e2b)_(?=\\w*\\d)\\w{16,}',
  'hf_[A-Za-z]{20,}',
  '(?:apify_api|lin_api|figd|gsk|sbp|shpat|shpss|dop_v1|doo_v1|sntrys|sntryu|dckr_pat|ops|phx|phc)_[\\w-]{8,}',
  '(?:pypi|xai|pplx|nvapi|tvly|ctx7sk|fc|key|dapi)-(?=[\\w-]*\\d)[\\w-]{16,}',
  'SG\\.[\\w-]{8,}\\.[\\w-]{8,}',
  'pat[A-Za-z0-9]{14}\\.[0-9a-f]{16,}',
  'ATATT[\\w=-]{10,}',
  'eyJ[\\w-]{5,}\\.[\\w-]{5,}(?:\\.[\\w-]+)?',
  '-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*',
];

/** Finds tokens of well-known services in a text. */
export const tokenInText = new RegExp(`(?<![\\w-])(?:${tokenForms.join('|')})`, 'g');

/** True for a text of letters and digits that no person would choose, such as a key in the path of an address. */
export function isRandom(text: string): boolean {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return true;
  // A revision of Git.
  if (text.length < 20 || /^[0-9a-f]{40}$/.test(text)) return false;
  return text.split(/[^A-Za-z0-9]+/).some((run) => run.length >= 16 && /\d/.test(run) && /[A-Za-z]/.test(run));
}

/** A text that asks a person to replace it: `<your key>`, `YOUR_API_KEY`, `sk-xxxx`. */
export function isPlaceholder(text: string): boolean {
  const placeholder =
    /^(?:<[^<>]*>|your[_ -].*|[\w -]+[_ -]here|(?:replace|change)[_ -]?(?:me|this|with.*)|\$[A-Za-z_]\w*|[\w-]{0,12}(?:x{4,}|\*{3,}|\.{3}|…))$/i;
  return text.length <= 100 && placeholder.test(text.trim());
}
