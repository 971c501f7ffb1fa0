import { themeScript } from '@/components/shell/theme-script';

export type SignInProblem = 'wrong token' | 'old address' | 'too many' | 'no token';

export interface SignInPage {
  /** The requested page, as a path of this app. */
  readonly to: string;
  readonly problem: SignInProblem | undefined;
  /** Allows the page's style and script in the content security policy. */
  readonly nonce: string;
  /** The address to which the form is sent. */
  readonly action: string;
}

const problems: Readonly<Record<SignInProblem, string>> = {
  'wrong token': 'That is not the token of this Callboard. Copy it again: the whole address works too.',
  'old address':
    'The token in this address is not the one of this Callboard. The latest start has printed the right one.',
  'too many': 'Too many wrong tokens were sent. The right one is still taken.',
  'no token': 'This Callboard has no token: its file is gone or cannot be read. Start Callboard again to get one.',
};

/**
 * Returns the page for a browser that is not signed in. It is a separate document that loads no code and no data of the app
 * and works without JavaScript. The script only applies the theme that this browser has chosen.
 */
export function signInPage({ to, problem, nonce, action }: SignInPage): string {
  const alert =
    problem === undefined ? '' : `<p class="problem" role="alert" id="problem">${escaped(problems[problem])}</p>`;
  const invalid = problem === 'wrong token' ? ' aria-invalid="true" aria-describedby="problem"' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sign in · Callboard</title>
<link rel="icon" href="/icon.svg">
<style nonce="${nonce}">${style}</style>
<script nonce="${nonce}">${themeScript}</script>
</head>
<body>
<main>
<p class="brand"><img src="/logo.svg" alt="" width="24" height="24">Callboard</p>
<h1>Sign in</h1>
${alert}
<p>Open the address that <code>npm start</code> printed. It signs this browser in.</p>
<p>Or paste the token here. This command prints it:</p>
<pre tabindex="0">npx callboard token</pre>
<form method="post" action="${escaped(action)}">
<input type="hidden" name="to" value="${escaped(to)}">
<label for="token">Token</label>
<input id="token" name="token" type="password" required maxlength="1000" autocomplete="current-password" spellcheck="false" autofocus${invalid}>
<button type="submit">Sign in</button>
</form>
<p class="why">Other people who can log in to this machine can reach this address. The token keeps your projects yours.</p>
</main>
</body>
</html>
`;
}

/** Escapes a value for text and quoted attributes. */
function escaped(text: string): string {
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
 * Copies of tokens of app/globals.css. This page cannot load that file, because the name of the built file is not known. A
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
p { margin: 0 0 8px; color: var(--muted); font-size: 13px }
.brand { display: flex; align-items: center; gap: 8px; margin: 0 0 20px; font-weight: 600; color: var(--ink); font-size: 14px }
.problem { padding: 8px 12px; border-radius: 6px; background: var(--bad-soft); color: var(--bad) }
code, pre { font: 12px/20px "JetBrains Mono Variable", ui-monospace, monospace; color: var(--ink) }
pre { margin: 0 0 20px; padding: 8px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--sunken); white-space: pre-wrap }
label { display: block; margin-bottom: 4px; font-size: 13px; font-weight: 500 }
input { width: 100%; height: 36px; padding: 0 12px; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--surface); color: var(--ink); font: inherit }
input[aria-invalid] { border-color: var(--bad) }
button { width: 100%; height: 36px; margin-top: 12px; border: 0; border-radius: 6px; background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 500; cursor: pointer }
button:hover { filter: brightness(1.1) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
.why { margin: 20px 0 0; padding-top: 16px; border-top: 1px solid var(--line); font-size: 12px; line-height: 16px }
`;
