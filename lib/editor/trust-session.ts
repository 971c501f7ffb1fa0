import { createStore } from 'zustand/vanilla';
import { type ProjectTrust, type TrustState, waitingCommands } from '@/lib/client/project-trust';

export type TrustAnswer =
  | { readonly ok: true; readonly trust: ProjectTrust }
  | { readonly ok: false; readonly message: string };

/** Requests for the trust state. None of these throws. */
export interface TrustServices {
  /** Reads the trust of the draft, or of the files with this hash. */
  readTrust(files?: string): Promise<TrustAnswer>;
  confirmTrust(hash: string): Promise<TrustAnswer>;
  /** Asks administrators to approve what the draft starts, or these files, or approves the commands with these ids. */
  askCommands(approve: readonly string[] | undefined, files?: string): Promise<TrustAnswer>;
}

export interface TrustSessionState {
  readonly state: TrustState;
  /**
   * Why the list is open: a run waits for the answer, or a person asked to review it. `undefined` means that it is closed.
   */
  readonly open: 'run' | 'review' | undefined;
  readonly trust: ProjectTrust | undefined;
  readonly confirming: boolean;
  readonly error: string | undefined;
}

export type TrustSession = ReturnType<typeof createTrustSession>;

/** The trust state of the saved project, and the question that a run may wait for (docs/trust.md). */
export function createTrustSession(services: TrustServices, opened: TrustState) {
  const store = createStore<TrustSessionState>(() => ({
    state: opened,
    open: undefined,
    trust: undefined,
    confirming: false,
    error: undefined,
  }));
  let answer: ((yes: boolean) => void) | undefined;
  let asked = 0;

  async function load() {
    asked += 1;
    const mine = asked;
    const read = await services.readTrust();
    // An older answer must not replace a newer one.
    if (mine !== asked) return;
    if (read.ok) store.setState({ trust: read.trust, state: read.trust.state });
    else if (store.getState().open !== undefined) store.setState({ error: read.message });
  }

  function close(yes: boolean) {
    store.setState({ open: undefined, confirming: false, error: undefined });
    const waiting = answer;
    answer = undefined;
    waiting?.(yes);
  }

  /** Confirms the list, then approves the commands that wait, or asks for them. */
  async function settle(seen: ProjectTrust): Promise<TrustAnswer> {
    const confirmed: TrustAnswer =
      seen.state === 'unconfirmed' ? await services.confirmTrust(seen.hash) : { ok: true, trust: seen };
    if (!confirmed.ok || waitingCommands(confirmed.trust).length === 0) return confirmed;
    const ids = waitingCommands(seen).map(({ id }) => id);
    return await services.askCommands(seen.mayApprove ? ids : undefined);
  }

  const actions = {
    /** Reads the state again after a save, which may start other programs. After one that brought something, an own project may ask. */
    async refresh(brought = false) {
      if (brought || store.getState().state !== 'own') await load();
    },
    async review() {
      if (store.getState().open !== undefined) return;
      store.setState({ open: 'review', error: undefined });
      await load();
    },
    /** Opens the list because a run waits for it. Resolves to true if it was confirmed. */
    async ask(): Promise<boolean> {
      answer?.(false);
      const answered = new Promise<boolean>((resolve) => {
        answer = resolve;
      });
      store.setState({ open: 'run', trust: undefined, error: undefined });
      await load();
      return await answered;
    },
    lookOnly() {
      close(false);
    },
    /** Closes the list if nothing waits any more. What others must approve stays open, as asked for. */
    async confirm() {
      const { trust, confirming } = store.getState();
      if (trust === undefined || confirming) return;
      store.setState({ confirming: true, error: undefined });
      const settled = await settle(trust);
      if (!settled.ok) {
        await load();
        store.setState({ confirming: false, error: settled.message });
        return;
      }
      asked += 1;
      store.setState({ trust: settled.trust, state: settled.trust.state, confirming: false });
      if (waitingCommands(settled.trust).length === 0) close(true);
    },
  };
  return { store, actions };
}
