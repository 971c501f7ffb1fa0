import type { OwnAccount } from '@/lib/base/own-account';

/** The requests of the sections below. Each rejects with an Error whose message users may see. */
export interface OwnAccountServices {
  readonly setPassword: (present: string, next: string) => Promise<OwnAccount>;
  readonly endSession: (session: string) => Promise<OwnAccount>;
  readonly passkeyOptions: () => Promise<string>;
  readonly savePasskey: (name: string, credential: string) => Promise<OwnAccount>;
  readonly deletePasskey: (passkey: string) => Promise<OwnAccount>;
}

/** What a section shows and tells of changes. */
export interface OwnAccountPart {
  readonly account: OwnAccount;
  readonly services: OwnAccountServices;
  readonly onChange: (account: OwnAccount) => void;
}
