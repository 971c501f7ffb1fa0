import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { CallTimer } from './call-timer';
import { answerInput } from './input-requests';
import { type InputRequest, type InputRequired, inputRequired } from './modern-messages';
import type { CallOptions } from './server-task';

/** A tool may ask this often before it gives a result. */
const maxRounds = 20;
/** What a server keeps with us must not be larger, in characters. */
const maxState = 256 * 1024;

/** A question round of a call: what the server asked, and what goes back with the answers. */
interface Round extends InputRequired {
  readonly number: number;
  /** What models answered, by the key of the request. A person may still have to see it. */
  readonly sampled: Readonly<Record<string, string>>;
}

/** Where a call is in its rounds of questions. Outlives a connection that is lost. */
export class InputRounds {
  private round: Round | undefined;
  private given: JsonObject | undefined;

  constructor(private readonly call: CallOptions) {}

  /** Takes up the round in which the run was suspended. */
  takeUp(kept: Json | undefined): void {
    this.round = readRound(kept);
  }

  /** Returns what the next request carries: nothing in the first one, else the answers to the last round and its state. */
  async answers(timer: CallTimer | undefined): Promise<JsonObject> {
    const { round } = this;
    if (round === undefined) return {};
    if (this.given !== undefined) return this.given;
    // The first refusal ends the call. Whatever else is asked then is withdrawn.
    const gone = new AbortController();
    const answered = Object.entries(round.requests).map(
      async ([key, request]): Promise<[string, Json]> => [
        key,
        await this.answer(round, key, request, timer, gone.signal),
      ],
    );
    const entries = await Promise.all(answered).catch((error: unknown) => {
      gone.abort();
      throw error;
    });
    const { state } = round;
    this.given = { inputResponses: Object.fromEntries(entries), ...(state !== undefined && { requestState: state }) };
    return this.given;
  }

  /** Begins another round. Returns a sentence if there cannot be one. */
  async next(needs: InputRequired): Promise<string | undefined> {
    const number = (this.round?.number ?? 0) + 1;
    const { spec, log } = this.call;
    const server = `Server '${spec.name}'`;
    if (number > maxRounds) return `${server} asked ${maxRounds} times and gave no result.`;
    if (Object.keys(needs.requests).length === 0 && needs.state === undefined) {
      return `${server} needs something and does not say what.`;
    }
    const { state } = needs;
    const isTooLong = state !== undefined && state.length > maxState;
    if (isTooLong) log.write('warning', 'server_state', `${server} has a state of ${state.length} characters.`);
    this.round = { ...needs, state: isTooLong ? undefined : state, number, sampled: {} };
    this.given = undefined;
    await this.keep();
    return undefined;
  }

  async end(): Promise<void> {
    if (this.round !== undefined) await this.call.context.kept?.write(undefined);
  }

  private async keep(): Promise<void> {
    const { round, call } = this;
    if (round === undefined || !call.context.kept) return;
    const { number, requests, state, sampled } = round;
    const value: Json = JSON.parse(JSON.stringify({ number, requests, state, sampled }));
    await call.context.kept.write(value);
  }

  private answer(
    round: Round,
    key: string,
    request: InputRequest,
    timer: CallTimer | undefined,
    signal: AbortSignal,
  ): Promise<Json> {
    const known = {
      text: Object.hasOwn(round.sampled, key) ? round.sampled[key] : undefined,
      note: async (text: string) => {
        const { round: now } = this;
        if (now !== undefined) this.round = { ...now, sampled: { ...now.sampled, [key]: text } };
        await this.keep();
      },
    };
    return answerInput(this.call, request, { mark: `${round.number} ${key}`, timer, signal, known });
  }
}

/** Reads what an earlier execution of the call has kept. */
function readRound(kept: Json | undefined): Round | undefined {
  if (!isRecord(kept) || typeof kept.number !== 'number') return undefined;
  const needs = inputRequired({ resultType: 'input_required', inputRequests: kept.requests, requestState: kept.state });
  const sampled = Object.entries(isRecord(kept.sampled) ? kept.sampled : {}).flatMap(([key, text]) =>
    typeof text === 'string' ? [[key, text] as const] : [],
  );
  return needs && { ...needs, number: kept.number, sampled: Object.fromEntries(sampled) };
}
