import { themeScript } from '@/components/shell/theme-script';
import { securityHeaders } from '@/lib/server/request-guard';

/*
 * Documents for people who are not signed in. They load no code and no data of the app and work without JavaScript. Their only script
 * applies the theme that this browser has chosen.
 */

export interface PlainPage {
  readonly title: string;
  /** HTML, in which each text is escaped. */
  readonly main: string;
  /** A constant script, for what forms alone cannot do. The page works without it. */
  readonly script?: string;
}

/** Returns the document with the headers that allow its style and script alone, and that keep it out of caches. */
export function plainResponse(
  page: PlainPage,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const nonce = crypto.randomUUID().replaceAll('-', '');
  return new Response(documentOf(page, nonce), {
    status,
    headers: {
      ...securityHeaders,
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': [
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
        "img-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ].join('; '),
    },
  });
}

function documentOf({ title, main, script }: PlainPage, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Callboard</title>
<link rel="icon" href="/icon.svg">
<style nonce="${nonce}">${style}</style>
<script nonce="${nonce}">${themeScript}</script>
</head>
<body>
<main>
<p class="brand"><img src="/logo.svg" alt="" width="24" height="24">Callboard</p>
${main}
</main>
${script === undefined ? '' : `<script nonce="${nonce}">${script}</script>`}
</body>
</html>
`;
}

/** Escapes a value for text and quoted attributes. */
export function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? character);
}

/**
 * Copies of tokens of app/globals.css. These pages cannot load that file, because the name of the built file is not known. A
 * test compares them.
 */
export const light = {
  ground: '#f6f7f9',
  surface: '#ffffff',
  sunken: '#eef0f4',
  line: '#e1e4ea',
  'line-strong': '#c6cbd6',
  ink: '#14171f',
  muted: '#565e6e',
  accent: '#4a47c9',
  'accent-ink': '#ffffff',
  bad: '#b3261e',
  'bad-soft': '#fce8e6',
} as const;

export const dark: Readonly<Record<keyof typeof light, string>> = {
  ground: '#0d0f14',
  surface: '#14171e',
  sunken: '#0a0c10',
  line: '#262b36',
  'line-strong': '#3b4252',
  ink: '#e9ebf1',
  muted: '#a7aebd',
  accent: '#8f8cff',
  'accent-ink': '#0d0f14',
  bad: '#ff8a80',
  'bad-soft': '#3a1715',
};

const declared = (scheme: 'light' | 'dark', tokens: Readonly<Record<string, string>>) =>
  `color-scheme: ${scheme}; ${Object.entries(tokens)
    .map(([name, value]) => `--${name}: ${value}`)
    .join('; ')}`;

/** The last rule is for browsers without JavaScript, where no script sets `data-theme`. */
const style = `
:root { ${declared('light', light)} }
[data-theme="dark"] { ${declared('dark', dark)} }
@media (prefers-color-scheme: dark) { :root:not([data-theme]) { ${declared('dark', dark)} } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--ground); color: var(--ink); font: 14px/20px "Inter Variable", Inter, system-ui, sans-serif; -webkit-font-smoothing: antialiased }
main { width: 100%; max-width: 400px; padding: 24px; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 1px 2px rgb(20 23 31 / 0.05) }
h1 { margin: 0 0 8px; font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -0.01em }
h2 { margin: 0 0 6px; font-size: 13px; line-height: 20px; font-weight: 600 }
p { margin: 0 0 8px; color: var(--muted); font-size: 13px }
.brand { display: flex; align-items: center; gap: 8px; margin: 0 0 20px; font-weight: 600; color: var(--ink); font-size: 14px }
.problem { padding: 8px 12px; border-radius: 6px; background: var(--bad-soft); color: var(--bad) }
code, pre { font: 12px/20px "JetBrains Mono Variable", ui-monospace, monospace; color: var(--ink) }
pre { margin: 0 0 20px; padding: 8px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--sunken); white-space: pre-wrap }
label { display: block; margin-bottom: 4px; font-size: 13px; font-weight: 500 }
input { width: 100%; height: 36px; padding: 0 12px; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--surface); color: var(--ink); font: inherit }
form + form, form + p { margin-top: 12px }
input + label, .hint + label { margin-top: 12px }
.hint { margin: 4px 0 0; font-size: 12px; line-height: 16px }
.done { padding: 8px 12px; border-radius: 6px; background: var(--sunken); color: var(--ink) }
[hidden] { display: none }
input[aria-invalid] { border-color: var(--bad) }
button { min-width: 100%; height: 36px; margin-top: 12px; padding: 0 16px; border: 0; border-radius: 6px; background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 500; cursor: pointer }
button:hover { filter: brightness(1.1) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
button.quiet { border: 1px solid var(--line-strong); background: var(--surface); color: var(--ink) }
textarea { width: 100%; min-height: 60px; padding: 8px 12px; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--surface); color: var(--ink); font: inherit; resize: vertical }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0 0 16px; font-size: 13px }
dt { color: var(--muted) }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere }
h1 { overflow-wrap: anywhere }
dd bdi { unicode-bidi: isolate }
.actions { position: sticky; bottom: 0; padding: 1px 0 12px; background: var(--surface) }
pre.arguments { direction: ltr; max-height: 320px; overflow: auto; overflow-wrap: anywhere }
a { color: var(--accent) }
.why { margin: 20px 0 0; padding-top: 16px; border-top: 1px solid var(--line); font-size: 12px; line-height: 16px }
`;
