import { escaped, type PlainPage } from '@/app/plain-page';
import { longestPassword, shortestPassword } from '@/lib/base/account-rules';

/* The pages with which people come in. They are forms that work without JavaScript; only passkeys need a script. */

export interface SignInForm {
  /** The page to continue with, as a path of this app. */
  readonly to: string;
  readonly email?: string | undefined;
  readonly problem?: string | undefined;
  /** A good message, such as that the password was changed. */
  readonly notice?: string | undefined;
  /** The words on the button of the provider; `undefined` without one. */
  readonly provider: string | undefined;
  /** What a browser needs to ask for a passkey, as JSON. `undefined` where passkeys do not work: at an address that is an IP. */
  readonly passkey: string | undefined;
}

/** The page of sign-in with an account. */
export function accountSignInPage({ to, email, problem, notice, provider, passkey }: SignInForm): PlainPage {
  const hidden = `<input type="hidden" name="to" value="${escaped(to)}">`;
  const byProvider =
    provider === undefined
      ? ''
      : `<form method="post" action="/sign-in/provider">${hidden}<button type="submit" class="quiet">${escaped(provider)}</button></form>`;
  const byPasskey =
    passkey === undefined
      ? ''
      : `<form method="post" action="/sign-in/passkey" id="passkey" data-options="${escaped(passkey)}" hidden>${hidden}<input type="hidden" name="credential"><button type="submit" class="quiet">Sign in with a passkey</button><p class="problem" role="alert" hidden>No passkey was used. Try again, or sign in with your password.</p></form>`;
  return {
    title: 'Sign in',
    main: `<h1>Sign in</h1>
${alertOf(problem)}${notice === undefined ? '' : `<p class="done" role="status">${escaped(notice)}</p>`}
<form method="post" action="/sign-in">
${hidden}
<label for="email">E-mail</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="username" value="${escaped(email ?? '')}"${email === undefined ? ' autofocus' : ''}>
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="${longestPassword}" autocomplete="current-password"${email === undefined ? '' : ' autofocus'}${invalid(problem)}>
<button type="submit">Sign in</button>
</form>
${byPasskey}
${byProvider}
<p class="why">No account yet? An administrator invites you. Password forgotten? An administrator makes a link that sets a new one.</p>`,
    ...(passkey !== undefined && { script: passkeyScript }),
  };
}

/** The page that asks for the second factor. */
export function codePage({ to, problem }: { readonly to: string; readonly problem?: string | undefined }): PlainPage {
  return {
    title: 'Second factor',
    main: `<h1>Second factor</h1>
${alertOf(problem)}
<p>Enter the six digits that your app shows, or one of your backup codes.</p>
<form method="post" action="/sign-in/code">
<input type="hidden" name="to" value="${escaped(to)}">
<label for="code">Code</label>
<input id="code" name="code" required maxlength="40" autocomplete="one-time-code" inputmode="text" spellcheck="false" autofocus${invalid(problem)}>
<button type="submit">Continue</button>
</form>
<p class="why"><a href="/sign-in">Sign in as somebody else</a>. App lost? Enter a backup code. Each works once.</p>`,
  };
}

export interface AccountForm {
  readonly title: string;
  /** What the person reads first, as text. */
  readonly intro: string;
  /** Where the form goes, with the token of the link. */
  readonly action: string;
  readonly token: string;
  /** Fields beside the password. `email` is fixed where the link is for one address. */
  readonly name?: string | undefined;
  readonly email?: { readonly value: string; readonly fixed: boolean } | undefined;
  readonly button: string;
  readonly problem?: string | undefined;
  readonly provider?: string | undefined;
  readonly to?: string;
}

/** A page with which somebody chooses a password: set-up, invitation, reset. */
export function accountFormPage(form: AccountForm): PlainPage {
  const { title, intro, action, token, name, email, button, problem, provider } = form;
  const fields = [
    name === undefined
      ? ''
      : `<label for="name">Name</label>
<input id="name" name="name" required maxlength="100" autocomplete="name" value="${escaped(name)}" autofocus>`,
    email === undefined
      ? ''
      : `<label for="email">E-mail</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="username" value="${escaped(email.value)}"${email.fixed ? ' readonly' : ''}>`,
    `<label for="password">Password</label>
<input id="password" name="password" type="password" required minlength="${shortestPassword}" maxlength="${longestPassword}" autocomplete="new-password" aria-describedby="rule"${invalid(problem)}>
<p class="hint" id="rule">${shortestPassword} characters or more. A few words that you can remember do well.</p>`,
  ];
  return {
    title,
    main: `<h1>${escaped(title)}</h1>
${alertOf(problem)}
<p>${escaped(intro)}</p>
<form method="post" action="${escaped(action)}">
<input type="hidden" name="token" value="${escaped(token)}">
${fields.join('\n')}
<button type="submit">${escaped(button)}</button>
</form>
${provider === undefined ? '' : `<form method="post" action="/sign-in/provider"><input type="hidden" name="to" value="/"><button type="submit" class="quiet">${escaped(provider)}</button></form>`}`,
  };
}

export interface JoinPage {
  readonly intro: string;
  readonly token: string;
  readonly problem?: string | undefined;
  /** What can be done: join as the person who is signed in, sign in first, or sign out. */
  readonly offers: 'join' | 'sign in' | 'sign out';
  /** The address of this page. */
  readonly here: string;
}

/** The page of an invitation for somebody who has an account. */
export function joinPage({ intro, token, problem, offers, here }: JoinPage): PlainPage {
  const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escaped(value)}">`;
  const form = {
    join: `<form method="post" action="/invite">${hidden('token', token)}${hidden('join', '1')}<button type="submit">Join</button></form>`,
    'sign in': `<form method="get" action="/sign-in">${hidden('to', here)}<button type="submit">Sign in</button></form>`,
    'sign out': `<form method="post" action="/sign-out">${hidden('to', here)}<button type="submit">Sign out</button></form>`,
  };
  return {
    title: 'Invitation',
    main: `<h1>Invitation</h1>\n${alertOf(problem)}\n<p>${escaped(intro)}</p>\n${form[offers]}`,
  };
}

/** A page that says why a link does not work, and what to do. */
export function linkFaultPage(sentence: string): PlainPage {
  return {
    title: 'Link not valid',
    main: `<h1>This link does not work</h1>
<p>${escaped(sentence)}</p>
<p><a href="/sign-in">Sign in</a></p>`,
  };
}

/** A page that leads to the provider. A redirect that answers a form would be stopped by the policy of the page with the form. */
export function towardsProviderPage(url: string, label: string): PlainPage {
  return {
    title: 'Sign in',
    main: `<meta http-equiv="refresh" content="0;url=${escaped(url)}">
<h1>One moment</h1>
<p><a href="${escaped(url)}">Continue: ${escaped(label)}</a></p>`,
  };
}

function alertOf(problem: string | undefined): string {
  return problem === undefined ? '' : `<p class="problem" role="alert" id="problem">${escaped(problem)}</p>`;
}

function invalid(problem: string | undefined): string {
  return problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem"';
}

/** Shows the button where the browser can use passkeys, and puts what the passkey signs into the form. */
const passkeyScript = `
const form = document.getElementById('passkey');
if (form && window.PublicKeyCredential && PublicKeyCredential.parseRequestOptionsFromJSON) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options));
      const credential = await navigator.credentials.get({ publicKey });
      form.elements.credential.value = JSON.stringify(credential);
      form.submit();
    } catch {
      form.querySelector('.problem').hidden = false;
    }
  });
}`;
