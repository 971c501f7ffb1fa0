import type { ComponentProps, ReactNode } from 'react';
import { OwnSections } from '@/app/account/own-client';
import { AllTokens, OwnTokens } from '@/app/account/tokens-client';
import { SignOut } from '@/components/account/sign-out';
import { Page } from '@/components/shell/page';
import type { Scene, Screen } from '@/stage/scene';

type Account = ComponentProps<typeof OwnSections>['first'];
type Token = ComponentProps<typeof OwnTokens>['first'][number];

const day = 86_400_000;
const ago = (days: number) => Date.now() - days * day;

const session = (n: number, device: string) => ({
  ...{ id: `s${n}`, device, address: n === 3 ? null : `192.0.2.${n}`, isThis: n === 1 },
  ...{ createdAt: ago(n * 3), seenAt: ago(n - 1) },
});

const fresh: Account = {
  ...{
    hasPassword: true,
    hasProvider: false,
    sessions: [session(1, 'Firefox on Linux')],
    passkeys: [],
    backupCodesLeft: null,
  },
  ...{ mustAddSecondFactor: false, canHavePasskeys: true },
};
const everything: Account = {
  ...fresh,
  hasProvider: true,
  sessions: [session(1, 'Firefox on Linux'), session(2, 'Safari on iPhone'), session(3, 'An unknown browser')],
  passkeys: [
    { id: 'p1', name: 'My laptop', createdAt: ago(40), usedAt: ago(1) },
    { id: 'p2', name: 'A_key_with_a_name_as_long_as_names_of_keys_may_be_in_the_app', createdAt: ago(2), usedAt: null },
  ],
  backupCodesLeft: 7,
};

const desk = { id: 'desk', name: 'Desk' };
const ada = { name: 'Ada', email: 'ada@example.org' };
const bo = { name: 'Bo', email: 'bo.with.a.long.address.that.wraps.on.narrow.windows@mail.example.org' };

const token = (n: number, name: string, rest: Partial<Token> = {}): Token => ({
  ...{ id: `t${n}`, name, prefix: `example_${n}`, scopes: ['read', 'run'], project: null, owner: ada },
  ...{ createdAt: ago(n * 9), expiresAt: null, usedAt: null },
  ...rest,
});
const own: readonly Token[] = [
  token(1, 'Nightly runs', { usedAt: ago(0.2), project: desk, expiresAt: ago(-60) }),
  token(2, 'traces-of-the-newsroom-that-are-exported-by-a-collector', { scopes: ['ingest'], expiresAt: ago(-2.5) }),
  token(3, 'Old script', { scopes: ['read', 'run', 'answer', 'edit', 'review', 'manage'], expiresAt: ago(1) }),
];

interface Shown {
  readonly account: Account;
  readonly own: readonly Token[];
  /** Those of everybody, for an administrator. */
  readonly all?: readonly Token[];
}

/** The page as app/account/page.tsx builds it. */
function Account({ account, own: tokens, all }: Shown) {
  const isAdministrator = all !== undefined;
  return (
    <Page title="Account" description="Ada · ada@example.org">
      <div className="flex max-w-3xl flex-col gap-6">
        <SignOut projects={[desk]} />
        <OwnSections first={account} />
        {!account.mustAddSecondFactor && (
          <Section title="Tokens">
            <OwnTokens first={tokens} projects={[desk]} isAdministrator={isAdministrator} />
          </Section>
        )}
        {all !== undefined && (
          <Section title="Tokens of everybody">
            <AllTokens first={all} />
          </Section>
        )}
      </div>
    </Page>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-2 font-medium text-ink text-sm">{title}</h2>
      <div className="rounded-lg border bg-surface shadow-card">{children}</div>
    </section>
  );
}

const scene = (name: string, shown: Shown): Scene => ({
  name,
  path: '/account',
  open: () => ({ screen: <Account {...shown} />, answers: {} }),
});

export const account: Screen = {
  id: 'account',
  title: 'Account',
  scenes: [
    scene('with everything', { account: everything, own, all: [...own, token(4, 'Reader', { owner: bo })] }),
    scene('fresh', { account: fresh, own: [] }),
    scene('without a password', {
      account: { ...fresh, hasPassword: false, hasProvider: true, canHavePasskeys: false },
      own: [],
    }),
    scene('held until the second factor', { account: { ...fresh, mustAddSecondFactor: true }, own: [] }),
  ],
};
