import type { LinkFault } from '@/lib/store/auth-links';

/** What to do about a link that cannot be used. */
export const linkSentences: {
  readonly setup: Readonly<Record<LinkFault, string>>;
  readonly reset: Readonly<Record<LinkFault, string>>;
  readonly invitation: Readonly<Record<LinkFault | 'revoked', string>>;
} = {
  setup: {
    unknown:
      'This link is not valid: a newer start has printed another one, or the address was cut. Use the latest that was printed.',
    used: 'This installation was set up with this link already. Sign in instead.',
    expired: 'This link has expired after a day. Start Callboard again, which prints a new one.',
  },
  reset: {
    unknown:
      'This link is not valid: a newer one was made, or the address was cut. Ask an administrator for a new link.',
    used: 'This link was used already. Sign in with the new password, or ask an administrator for another link.',
    expired: 'This link has expired after a day. Ask an administrator for a new one.',
  },
  invitation: {
    unknown: 'This invitation is not valid: the address may be cut. Copy the whole link, or ask for a new one.',
    used: 'This invitation was accepted already. Sign in with your account.',
    expired: 'This invitation has expired. Ask whoever invited you for a new one.',
    revoked: 'This invitation was taken back, or a newer one was sent. Ask whoever invited you.',
  },
};
