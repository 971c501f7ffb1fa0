import type { Clock } from '@/lib/base/clock';
import type { Settings } from '@/lib/cards/settings';
import type { AskedModel, ModelPort } from '@/lib/runtime/ports';
import { type ModelName, splitModelName } from './model-name';
import { openAiModel } from './openai';
import { answerPassthrough } from './passthrough';
import { answerPlayback } from './playback';
import { cancelled } from './response';
import { scriptedModel } from './script';

export interface ModelEnv {
  readonly OPENAI_API_KEY?: string | undefined;
  readonly OPENAI_BASE_URL?: string | undefined;
}

const slowMs = 3_000;

/**
 * The model port of a run. The model string decides who answers: `script`, fast-agent's test models `passthrough`, `slow`,
 * `silent` and `playback`, else an OpenAI-compatible server. Holds no state of a run: one port may serve many runs at once.
 */
export function createModels(input: { env: ModelEnv; settings: Settings; clock: Clock }): ModelPort {
  const { clock } = input;
  const script = scriptedModel(input.settings, clock);
  const openai = openAiModel(input.env, clock, input.settings.limits.max_answer_bytes);
  const described = new Map<string, AskedModel>();
  return {
    describe(model) {
      let asked = described.get(model);
      if (asked === undefined) {
        const name = splitModelName(model);
        asked = { provider: builtin(name) === undefined ? openai.providerOf(name) : 'callboard', name: name.name };
        described.set(model, asked);
      }
      return asked;
    },
    async complete(request, control) {
      if (control.signal.aborted) return cancelled();
      const model = splitModelName(request.model);
      switch (builtin(model)) {
        case 'script':
          return script.complete(request, control);
        case 'slow':
          await clock.sleep(slowMs, control.signal);
          return control.signal.aborted ? cancelled() : answerPassthrough(request, { reportUsage: true });
        case 'passthrough':
          return answerPassthrough(request, { reportUsage: true });
        case 'silent':
          return answerPassthrough(request, { reportUsage: false });
        case 'playback':
          return answerPlayback(request);
        default:
          return openai.complete(request, model, control);
      }
    },
  };
}

const answersHere: ReadonlySet<string> = new Set(['script', 'slow', 'passthrough', 'silent', 'playback']);

function builtin({ provider, name }: ModelName): string | undefined {
  const isOurs = provider === undefined || provider === 'fast-agent';
  return isOurs && answersHere.has(name) ? name : undefined;
}
