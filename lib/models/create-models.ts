import type { Clock } from '@/lib/base/clock';
import type { ProviderSections } from '@/lib/cards/config';
import { type Endpoint, endpointOf, type ModelEnv } from '@/lib/cards/models/endpoint';
import { nameModel } from '@/lib/cards/models/name-model';
import type { Settings } from '@/lib/cards/settings';
import type { AskedModel, ModelPort } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { largestAnswer } from './answer-memory';
import { createHttpTransport, type HttpTransport, type TransportGuard } from './http-transport';
import { messagesWire } from './messages-model';
import { type OpenAiModel, openAiModel } from './openai';
import { answerPassthrough } from './passthrough';
import { answerPlayback } from './playback';
import { providerName } from './provider-name';
import { cancelled, failed } from './response';
import { responsesWire } from './responses-model';
import { scriptedModel } from './script';
import { WireModel } from './wire-model';

const slowMs = 3_000;

/**
 * Creates the model port of a run. The model string selects the model: `script`, one of fast-agent's test models
 * (`passthrough`, `slow`, `silent`, `playback`), or otherwise a model of the provider that `endpointOf` finds. Without a
 * provider the call fails. `providers` are the sections of the folder's config, including its secrets file. `guard` checks
 * addresses that the folder names. The port keeps no state of a run, so many runs may share it.
 */
export function createModels(input: {
  readonly env: ModelEnv;
  readonly providers: ProviderSections;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly guard: TransportGuard;
}): ModelPort {
  const { clock, env, providers, guard } = input;
  const script = scriptedModel(input.settings, clock);
  const asked = new Map<string, Asked>();

  function ask(model: string): Asked {
    let found = asked.get(model);
    if (found === undefined) {
      found = askedOf(model);
      asked.set(model, found);
    }
    return found;
  }

  function askedOf(model: string): Asked {
    const own = answersHere.get(model.replace(/\?.*$/s, '').trim());
    if (own !== undefined) return { own, described: { provider: 'callboard', name: own } };
    const endpoint = endpointOf(model, providers, env);
    if (!endpoint.ok || endpoint.value === undefined) {
      const named = nameModel(model);
      const { provider, name } = named.ok ? named.value : { provider: undefined, name: model };
      const message = endpoint.ok ? `Model '${model}' is not a test model.` : endpoint.error;
      return {
        error: notServed(message),
        described: {
          provider: providerName('', env.variables.OPENAI_BASE_URL ? knownBy(model, provider) : provider),
          name,
        },
      };
    }
    const { address, provider, guarded, model: named } = endpoint.value;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const described = { provider: providerName(url?.host ?? '', knownBy(model, provider)), name: named.name };
    const problem = url === undefined ? 'its address cannot be read.' : guarded ? guard.problemOf(url) : undefined;
    if (problem !== undefined) return { error: notServed(`Model '${model}' is not served: ${problem}`), described };
    return { model: serve(endpoint.value, input), described };
  }

  return {
    describe: (model) => ask(model).described,
    problemOf: (model) => ask(model).error,
    async complete(request, control) {
      if (control.signal.aborted) return cancelled();
      const { own, model, error } = ask(request.model);
      switch (own) {
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
          if (model !== undefined) return model.complete(request, control);
          return failed(error?.code ?? 'model_not_served', error?.message ?? `Model '${request.model}' is not served.`);
      }
    },
  };
}

/** Returns the model at an endpoint, in the endpoint's format. */
function serve(
  endpoint: Endpoint,
  { settings, clock, guard }: Pick<Parameters<typeof createModels>[0], 'settings' | 'clock' | 'guard'>,
): OpenAiModel {
  const transport = transportOf(endpoint, guard);
  const maxAnswerBytes = settings.limits.max_answer_bytes ?? largestAnswer;
  switch (endpoint.wire) {
    case 'chat':
      return openAiModel(endpoint, clock, transport, maxAnswerBytes);
    case 'messages':
      return new WireModel({ endpoint, clock, transport, maxAnswerBytes, wire: messagesWire(endpoint, transport) });
    case 'responses':
      return new WireModel({ endpoint, clock, transport, maxAnswerBytes, wire: responsesWire(endpoint, transport) });
  }
}

/** Exactly one of the three fields is set: a local model, a provider's endpoint, or the fault that there is none. */
interface Asked {
  readonly own?: string;
  readonly model?: OpenAiModel;
  readonly error?: RunError;
  readonly described: AskedModel;
}

const answersHere: ReadonlyMap<string, string> = new Map(
  ['script', 'slow', 'passthrough', 'silent', 'playback'].flatMap((name) => [
    [name, name] as const,
    [`fast-agent.${name}`, name] as const,
    [`fast-agent/${name}`, name] as const,
  ]),
);

/**
 * Returns the name under which the provider is reported. Many servers offer OpenAI's models, so that is the provider's own
 * name only when the model string has it.
 */
function knownBy(model: string, provider: string | undefined): string | undefined {
  const isOpenAi = provider === 'openai' || provider === 'responses';
  return isOpenAi && !/^(?:openai|responses)[./]/.test(model.trim()) ? undefined : provider;
}

function notServed(message: string): RunError {
  return { code: 'model_not_served', message };
}

/** Returns the transport for requests to an endpoint. */
export function transportOf({ guarded }: Pick<Endpoint, 'guarded'>, guard: TransportGuard): HttpTransport {
  return guarded ? guardedTransport(guard) : openTransport;
}

/** All runs of the process share its connections. */
const openTransport = createHttpTransport();
const guardedTransports = new WeakMap<TransportGuard, HttpTransport>();

/**
 * Makes a transport that does not share connections with the unguarded one, because a kept-alive connection is not checked
 * again.
 */
function guardedTransport(guard: TransportGuard): HttpTransport {
  let transport = guardedTransports.get(guard);
  if (transport === undefined) {
    transport = createHttpTransport(guard);
    guardedTransports.set(guard, transport);
  }
  return transport;
}
