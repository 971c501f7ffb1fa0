import type { ToolChoice } from '@/lib/base/again';
import { canonicalJson } from '@/lib/base/canonical-json';
import type { Json } from '@/lib/base/json';
import type { AnsweredCall } from './instance-record';
import type { ToolResult } from './messages';
import { errorResult } from './tool-error';

/** A call that may be answered without its tool. */
export interface AskedCall {
  readonly agentName: string;
  readonly tool: string;
  /** The step without the path of the instance with which the run began. */
  readonly place: string;
  /** As the model asked and as they are shown. */
  readonly arguments: Json;
}

/** An answer in place of the tool's. It is recorded with a line of the log that has `code` and `message`. */
export interface GivenAnswer {
  readonly result: ToolResult;
  readonly level: 'info' | 'warning' | 'error';
  readonly code: 'answer_pinned' | 'answer_recorded' | 'not_recorded';
  readonly message: string;
}

/** Answers calls in place of their tools. Pure: the same call gets the same answer, also after a crash. */
export type GiveAnswer = (call: AskedCall) => GivenAnswer | undefined;

/** A result that a person has pinned for the next runs of a project. */
export interface PinnedResult {
  readonly agentName: string;
  readonly tool: string;
  /** `undefined` answers every call of the tool. */
  readonly arguments: Json | undefined;
  readonly result: ToolResult;
}

/**
 * Answers with what another run recorded, for the tools for which that was chosen. An answer to equal arguments comes first, then
 * the answer at the same place, then the first one. A tool without a recorded answer fails, because it must not run.
 */
export function recordedAnswers(
  calls: readonly AnsweredCall[],
  tools: Readonly<Record<string, ToolChoice>>,
): GiveAnswer {
  return ({ tool, place, arguments: asked }) => {
    if (!Object.hasOwn(tools, tool) || tools[tool] !== 'record') return undefined;
    const ofTool = calls.filter((call) => call.tool === tool);
    const text = canonicalJson(asked);
    const equal = ofTool.filter((call) => canonicalJson(call.arguments) === text);
    const found = equal.find((call) => call.place === place) ?? equal[0];
    const other = found ?? ofTool.find((call) => call.place === place) ?? ofTool[0];
    if (other === undefined) {
      const message = `The recorded run has no answer of tool '${tool}', and it is not called live.`;
      return {
        result: errorResult('NOT_ALLOWED', `Error: ${message}`),
        level: 'warning',
        code: 'answer_recorded',
        message,
      };
    }
    return found === undefined
      ? {
          result: other.result,
          level: 'warning',
          code: 'answer_recorded',
          message: `Tool '${tool}' was not called. The answer is a recorded one to other arguments.`,
        }
      : {
          result: found.result,
          level: 'info',
          code: 'answer_recorded',
          message: `Tool '${tool}' was not called. The answer comes from the record.`,
        };
  };
}

/** Answers with pinned results. One for equal arguments comes before one for all calls. */
export function pinnedAnswers(pins: readonly PinnedResult[]): GiveAnswer | undefined {
  if (pins.length === 0) return undefined;
  return ({ agentName, tool, arguments: asked }) => {
    const own = pins.filter((pin) => pin.agentName === agentName && pin.tool === tool);
    if (own.length === 0) return undefined;
    const text = canonicalJson(asked);
    const pin =
      own.find(({ arguments: wanted }) => wanted !== undefined && canonicalJson(wanted) === text) ??
      own.find(({ arguments: wanted }) => wanted === undefined);
    return (
      pin && {
        result: pin.result,
        level: 'info',
        code: 'answer_pinned',
        message: `Tool '${tool}' was not called. The answer is pinned.`,
      }
    );
  };
}

/** Asks one after the other. */
export function firstAnswer(...given: readonly (GiveAnswer | undefined)[]): GiveAnswer | undefined {
  const all = given.filter((give) => give !== undefined);
  if (all.length === 0) return undefined;
  return (call) => {
    for (const give of all) {
      const answer = give(call);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
}
