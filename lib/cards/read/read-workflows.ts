import type { A2aCard, ChainCard, EvaluatorOptimizerCard, MakerCard, ParallelCard } from '@/lib/cards/card';
import { type CardContext, refer } from './card-context';
import { toJson } from './describe-value';
import {
  readFlag,
  readInteger,
  readMapping,
  readNumber,
  readText,
  readTextMap,
  readTexts,
  readWord,
  refuseNull,
} from './fields';
import type { OwnFields } from './own-fields';
import { readMembers, readMessages } from './read-model-fields';

/** Reads the workflow card types and the remote agent. */

export function readChain(card: CardContext): OwnFields<ChainCard> {
  return { type: 'chain', sequence: readMembers(card, 'sequence'), cumulative: readFlag(card, 'cumulative', false) };
}

export function readParallel(card: CardContext): OwnFields<ParallelCard> {
  return {
    type: 'parallel',
    fanOut: readMembers(card, 'fan_out'),
    fanIn: readMember(card, 'fan_in'),
    includeRequest: readFlag(card, 'include_request', true),
  };
}

export function readEvaluatorOptimizer(card: CardContext): OwnFields<EvaluatorOptimizerCard> {
  refuseNull(card, ['min_rating', 'max_refinements']);
  const refinement = card.value.refinement_instruction;
  return {
    type: 'evaluator_optimizer',
    generator: readMember(card, 'generator') ?? '',
    evaluator: readMember(card, 'evaluator') ?? '',
    minRating: readWord(card, 'min_rating', ['POOR', 'FAIR', 'GOOD', 'EXCELLENT']) ?? 'GOOD',
    maxRefinements: readInteger(card, 'max_refinements') ?? 3,
    refinementInstruction: typeof refinement === 'string' ? refinement : undefined,
    messages: readMessages(card),
  };
}

export function readMaker(card: CardContext): OwnFields<MakerCard> {
  refuseNull(card, ['k', 'max_samples', 'match_strategy']);
  const k = readInteger(card, 'k') ?? 3;
  const maxSamples = readInteger(card, 'max_samples') ?? 50;
  checkVote(card, k, maxSamples);
  return {
    type: 'MAKER',
    worker: readMember(card, 'worker') ?? '',
    k,
    maxSamples,
    matchStrategy: readWord(card, 'match_strategy', ['exact', 'normalized', 'structured']) ?? 'exact',
    redFlagMaxLength: readInteger(card, 'red_flag_max_length'),
    messages: readMessages(card),
  };
}

/** Checks the numbers of a vote, because fast-agent's builder refuses these too (maker_agent.py). */
function checkVote(card: CardContext, k: number, maxSamples: number): void {
  if (k < 1) card.report.report('out-of-range', ['k'], `'k' must be at least 1, not ${k}.`);
  else if (maxSamples < k) {
    const key = card.value.max_samples === undefined ? 'k' : 'max_samples';
    const text = `'max_samples' is ${maxSamples}, which is less than 'k' (${k}): no answer could ever lead by ${k} votes. Raise 'max_samples' or lower 'k'.`;
    card.report.report('out-of-range', [key], text);
  }
}

export function readA2a(card: CardContext): OwnFields<A2aCard> {
  const auth = readMapping(card, 'auth');
  return {
    type: 'a2a',
    url: readText(card, 'url') ?? '',
    transport: readWord(card, 'transport', ['JSONRPC', 'HTTP+JSON'], 'wrong-type'),
    streaming: readFlag(card, 'streaming', true),
    polling: readFlag(card, 'polling', false),
    acceptedOutputModes: readTexts(card, 'accepted_output_modes'),
    headers: readTextMap(card, 'headers'),
    auth: auth && Object.fromEntries(Object.entries(auth.value).map(([key, value]) => [key, toJson(value)])),
    relativeCardPath: readText(card, 'relative_card_path'),
    requestTimeoutSeconds: readTimeout(card),
  };
}

function readTimeout(card: CardContext): number {
  const seconds = readNumber(card, 'request_timeout_seconds') ?? 120;
  if (seconds > 0) return seconds;
  const text = `'request_timeout_seconds' must be greater than 0, not ${seconds}. Correct it, or remove the line for 120.`;
  card.report.report('out-of-range', ['request_timeout_seconds'], text);
  return 120;
}

function readMember(card: CardContext, key: string): string | undefined {
  const name = readText(card, key);
  if (name !== undefined) refer(card, 'agent', name, [key]);
  return name;
}
