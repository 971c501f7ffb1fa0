import { escaped, type PlainPage } from '@/app/plain-page';

export type SignInProblem = 'wrong token' | 'old address' | 'too many' | 'no token';

export interface SignInPage {
  /** The requested page, as a path of this app. */
  readonly to: string;
  readonly problem: SignInProblem | undefined;
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

/** Returns the page for a browser that is not signed in. It shows nothing of the app. */
export function signInPage({ to, problem, action }: SignInPage): PlainPage {
  const alert =
    problem === undefined ? '' : `<p class="problem" role="alert" id="problem">${escaped(problems[problem])}</p>`;
  const invalid = problem === 'wrong token' ? ' aria-invalid="true" aria-describedby="problem"' : '';
  return {
    title: 'Sign in',
    main: `<h1>Sign in</h1>
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
<p class="why">Other people who can log in to this machine can reach this address. The token keeps your projects yours.</p>`,
  };
}
