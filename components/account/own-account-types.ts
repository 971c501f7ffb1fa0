import type { OwnAccount } from '@/lib/base/own-account';

/** The requests of the sections below. Each rejects with an Error whose message users may see. */
export interface OwnAccountServices {
  readonly setPassword: (present: string, next: string) => Promise<OwnAccount>;
  readonly endSession: (session: string) => Promise<OwnAccount>;
  /** The password is empty for a person without one. */
  readonly passkeyOptions: (password: string) => Promise<string>;
  readonly savePasskey: (name: string, credential: string) => Promise<OwnAccount>;
  readonly deletePasskey: (passkey: string) => Promise<OwnAccount>;
  readonly beginFactor: (password: string) => Promise<NewFactor>;
  readonly confirmFactor: (code: string) => Promise<WithCodes>;
  readonly renewCodes: (password: string) => Promise<WithCodes>;
  readonly dropFactor: (password: string) => Promise<OwnAccount>;
  /** The password is empty for a person without one. */
  readonly unlinkIdentity: (password: string) => Promise<OwnAccount>;
}

/** A second factor that is not confirmed yet. */
export interface NewFactor {
  readonly secret: string;
  /** What the QR code says. */
  readonly address: string;
}

/** `codes` are backup codes, which are shown once. */
export interface WithCodes {
  readonly account: OwnAccount;
  readonly codes: readonly string[];
}

/** What a section shows and tells of changes. */
export interface OwnAccountPart {
  readonly account: OwnAccount;
  readonly services: OwnAccountServices;
  readonly onChange: (account: OwnAccount) => void;
}
