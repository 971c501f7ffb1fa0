import type { Logger } from 'pino';
import type { Clock } from '@/lib/base/clock';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import { parseJson } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import { KnownValues } from '@/lib/runtime/record/known-values';
import type { LiveValues } from '@/lib/runtime/record/redact-events';
import type { Store } from '@/lib/store/database';
import {
  findSealedSignIn,
  noteSignInUse,
  type Renewal,
  renewSignIn,
  type SealedSignIn,
  sealedSignInsOf,
  signInLabel,
} from '@/lib/store/mcp-sign-ins';
import { type OpeningKey, sealNamed, unsealNamed } from '@/lib/store/sealing';
import type { AddressGuard } from '@/lib/tools/mcp/address-guard';
import { type KeptSignIn, keptSignIn, secretsOfSignIn } from '@/lib/tools/mcp/kept-sign-in';
import { createOAuthFetch, SignInFault } from '@/lib/tools/mcp/oauth-fetch';
import { refreshSignIn } from '@/lib/tools/mcp/sign-in-flow';
import type { SignIn, SignIns } from '@/lib/tools/mcp/sign-ins';

/** The sign-ins at MCP servers that this worker has opened. Each request reads its row, so what another worker renewed or a person forgot counts at once. */
export interface SignInBook {
  /** Returns the sign-ins of a project. */
  of(project: ProjectId): Promise<SignIns>;
  /** Hides further secrets, such as those of a sign-in that was just made. */
  hide(values: readonly string[]): void;
  /** Every token and client secret that this worker has seen. */
  readonly hidden: LiveValues;
}

export interface SignInBookInput {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly guard: AddressGuard;
  readonly keys: readonly OpeningKey[];
  /** Gets every value too. */
  readonly seen?: KnownValues | undefined;
}

/** A token is renewed this long before it expires, so that a request that takes time has a good one. */
const earlyMs = 30_000;
const noteEveryMs = 60_000;

export function createSignInBook(input: SignInBookInput): SignInBook {
  return new Book(input);
}

class Book implements SignInBook {
  readonly hidden = new KnownValues();
  private readonly opened = new Map<string, { readonly version: number; readonly kept: KeptSignIn }>();
  /** One refresh at a time in this process. The lock of the row is for other processes. */
  private readonly renewing = new Map<string, Promise<SealedSignIn | undefined>>();

  constructor(private readonly input: SignInBookInput) {}

  hide(values: readonly string[]): void {
    this.hidden.add(values);
    this.input.seen?.add(values);
  }

  async of(project: ProjectId): Promise<SignIns> {
    const rows = await sealedSignInsOf(this.input.store, project);
    for (const row of rows) this.open(row);
    const all = new Map(rows.map((row) => [row.address, this.signIn(row)]));
    return { at: (address) => all.get(address) };
  }

  private signIn({ id }: SealedSignIn): SignIn {
    return { id, hidden: () => this.hidden.current(), token: (refused) => this.token(id, refused) };
  }

  private async token(id: string, refused: string | undefined): Promise<Result<string, string>> {
    const { store, clock } = this.input;
    let row = await findSealedSignIn(store, id);
    try {
      for (let tries = 0; ; tries += 1) {
        if (row === undefined) return err('The sign-in was forgotten.');
        if (row.endedBecause !== null) return err(row.endedBecause);
        const kept = this.open(row);
        if (kept === undefined) return err('The key that opens the sign-in is missing.');
        const isOver = row.expiresAt !== null && row.expiresAt - earlyMs <= clock.now();
        // A token that was just renewed is used also if its time is short.
        if ((!isOver || tries > 0) && kept.accessToken !== refused) {
          if (row.usedAt === null || row.usedAt + noteEveryMs <= clock.now()) await noteSignInUse(store, id);
          return ok(kept.accessToken);
        }
        if (tries > 0) return err('The server refuses it, also renewed.');
        row = await this.renewed(row);
      }
    } catch (error) {
      if (error instanceof SignInFault) return err(error.message);
      throw error;
    }
  }

  private renewed(seen: SealedSignIn): Promise<SealedSignIn | undefined> {
    const { id } = seen;
    let renewing = this.renewing.get(id);
    if (renewing === undefined) {
      renewing = renewSignIn(this.input.store, id, (now) => this.renew(seen, now)).finally(() =>
        this.renewing.delete(id),
      );
      this.renewing.set(id, renewing);
    }
    return renewing;
  }

  private async renew(seen: SealedSignIn, now: SealedSignIn): Promise<Renewal | undefined> {
    if (now.version !== seen.version || now.endedBecause !== null) return undefined;
    const { keys, guard, clock, log } = this.input;
    const [newest] = keys;
    const kept = this.open(now);
    if (kept === undefined || newest === undefined) return undefined;
    const http = createOAuthFetch(guard, new AbortController().signal);
    try {
      const renewed = await refreshSignIn(kept, http.fetch);
      this.hide(secretsOfSignIn(renewed.kept));
      const sealed = sealNamed(JSON.stringify(renewed.kept), signInLabel(now.id), newest);
      return { sealed, expiresAt: expiryOf(clock, renewed.expiresInSeconds) };
    } catch (error) {
      if (!(error instanceof SignInFault) || !error.isFinal) throw error;
      log.warn({ server_name: now.server }, `a sign-in has ended: ${error.message}`);
      return { sealed: '', endedBecause: error.message };
    } finally {
      http.close();
    }
  }

  private open({ id, sealed, version }: SealedSignIn): KeptSignIn | undefined {
    const known = this.opened.get(id);
    if (known?.version === version) return known.kept;
    if (sealed === '') return undefined;
    try {
      const kept = keptSignIn.parse(parseJson(unsealNamed(sealed, signInLabel(id), this.input.keys)));
      this.opened.set(id, { version, kept });
      this.hide(secretsOfSignIn(kept));
      return kept;
    } catch {
      this.input.log.error({ sign_in: id }, 'a sign-in does not open');
      return undefined;
    }
  }
}

/** Returns when tokens expire that are good for so long; null if nobody said it. */
export function expiryOf(clock: Clock, seconds: number | undefined): EpochMs | null {
  return seconds === undefined ? null : brandAs<EpochMs>(clock.now() + seconds * 1_000);
}
