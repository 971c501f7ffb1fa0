import type Anthropic from '@anthropic-ai/sdk';
import type { RequestParams } from './request-params';

type Params = Anthropic.MessageCreateParamsStreaming;

/** The members of a request that depend on how much the model thinks. */
interface ThinkingMembers {
  readonly max_tokens: number;
  readonly thinking?: Params['thinking'];
  readonly output_config?: { readonly effort: NonNullable<Anthropic.OutputConfig['effort']> };
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
}

/**
 * What a model of Anthropic's takes. Source: fast-agent 0.10.9, `src/fast_agent/llm/model_database.py`, and
 * platform.claude.com/docs/en/build-with-claude/adaptive-thinking.
 *
 * - `none`: it does not think.
 * - `budget`: it thinks for a number of tokens.
 * - `adaptive`: it decides itself, and takes an effort.
 */
type Kind = 'none' | 'budget' | 'adaptive';

const leastBudget = 1_024;
/** Tokens for the answer, if the limit would leave none after the thinking. */
const besideBudget = 8_192;

/**
 * Returns how much the model thinks, and the parameters that depend on it. Without a setting nothing is sent, so the default of
 * the model holds. `mayThink` is false if the conversation ends in calls that were made without thinking: a model with a budget
 * refuses to think in the middle of such a turn.
 */
export function thinkingMembers(name: string, params: RequestParams, mayThink: boolean): ThinkingMembers {
  const model = name.toLowerCase();
  const kind = kindOf(model);
  const maxTokens = params.number('max_tokens') ?? defaultMaxTokens(model);
  const reasoning = kind === 'none' ? undefined : params.reasoning();
  if (reasoning === undefined) return { max_tokens: maxTokens, ...sampling(params, model) };
  if (reasoning.kind === 'off') {
    const thinking = /fable/.test(model) ? {} : { thinking: { type: 'disabled' as const } };
    return { max_tokens: maxTokens, ...thinking, ...sampling(params, model) };
  }
  if (kind === 'adaptive') {
    // A budget is not taken, so the model decides.
    const effort = reasoning.kind === 'effort' ? effortOf(reasoning.effort, model) : undefined;
    return {
      max_tokens: maxTokens,
      thinking: { type: 'adaptive', display: 'summarized' },
      ...(effort && { output_config: { effort } }),
    };
  }
  if (!mayThink) return { max_tokens: maxTokens, ...sampling(params, model) };
  const most = mostTokens(model);
  const budget = Math.min(budgetOf(reasoning), most - besideBudget);
  return {
    max_tokens: maxTokens > budget ? maxTokens : budget + besideBudget,
    thinking: { type: 'enabled', budget_tokens: budget },
  };
}

/** True if the model refuses to think after a message with calls and without its thinking. */
export function needsThinkingBack(name: string): boolean {
  return kindOf(name.toLowerCase()) === 'budget';
}

/** True if the model can be held to a JSON schema. The first models of version 4 and earlier ones cannot. */
export function takesSchemas(name: string): boolean {
  return !/claude-(?:instant|[123]\b|(?:opus|sonnet)-4(?:-0)?(?:-\d{8})?$)/.test(name.toLowerCase());
}

function kindOf(model: string): Kind {
  if (/claude-(?:instant|[12]\b|3-(?:opus|sonnet|haiku)|3-5)/.test(model)) return 'none';
  if (!model.includes('claude')) return 'budget';
  if (/claude-3-7|claude-(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8}|-latest)?$/.test(model)) return 'budget';
  return 'adaptive';
}

/** The limit of output tokens is required. This is what every model of the family takes. */
function defaultMaxTokens(model: string): number {
  if (/claude-(?:instant|[12]\b|3-(?:opus|sonnet|haiku))/.test(model)) return 4_096;
  return /claude-3-5/.test(model) ? 8_192 : 32_000;
}

/** The most output tokens of a model that thinks with a budget. */
function mostTokens(model: string): number {
  return /opus-4(?:-[01])?(?:-\d{8})?$/.test(model) ? 32_000 : 64_000;
}

/** Models after 4.6 refuse these parameters, and so does every model that thinks. */
function sampling(params: RequestParams, model: string) {
  if (kindOf(model) === 'adaptive' && !/-4-6/.test(model)) return {};
  const temperature = params.number('temperature', 'temp');
  const topP = params.number('top_p');
  const topK = params.number('top_k');
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
  };
}

function effortOf(word: string, model: string): NonNullable<Anthropic.OutputConfig['effort']> {
  switch (word) {
    case 'medium':
    case 'high':
      return word;
    case 'xhigh':
      return /-4-6/.test(model) ? 'max' : 'xhigh';
    case 'max':
      return /fable/.test(model) ? 'xhigh' : 'max';
    default:
      return 'low';
  }
}

/** The budgets of fast-agent's efforts. */
function budgetOf(reasoning: { readonly kind: string; readonly effort?: string; readonly tokens?: number }): number {
  if (reasoning.tokens !== undefined) return Math.max(leastBudget, reasoning.tokens);
  if (reasoning.effort === undefined || /^(?:minimal|low)$/.test(reasoning.effort)) return leastBudget;
  return reasoning.effort === 'medium' ? 16_000 : 32_000;
}
