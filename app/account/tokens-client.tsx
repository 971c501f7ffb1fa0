'use client';

import { unwrapAction } from '@/app/call-action';
import type { TokenServices } from '@/components/account/token-types';
import { TokensOfEverybody, type TokensOfEverybodyProps } from '@/components/account/tokens-of-everybody';
import { TokensSection, type TokensSectionProps } from '@/components/account/tokens-section';
import { createToken, revokeToken, revokeTokenOfAnybody } from './token-actions';

const services: TokenServices = {
  create: (name, choice) => unwrapAction(() => createToken({ name, ...choice, scopes: [...choice.scopes] })),
  revoke: (id) => unwrapAction(() => revokeToken({ id })),
};

/** The tokens of a person, with the requests that make and revoke them. */
export function OwnTokens(props: Omit<TokensSectionProps, 'services'>) {
  return <TokensSection {...props} services={services} />;
}

/** The tokens of everybody, with the request that revokes one. */
export function AllTokens({ first }: Pick<TokensOfEverybodyProps, 'first'>) {
  return <TokensOfEverybody first={first} onRevoke={(id) => unwrapAction(() => revokeTokenOfAnybody({ id }))} />;
}
