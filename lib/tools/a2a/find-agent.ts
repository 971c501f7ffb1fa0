import { AgentCard } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { z } from 'zod';
import type { A2aCard } from '@/lib/cards/card';
import type { GuardedFetch } from '@/lib/tools/mcp/guarded-fetch';
import { AgentFault, shortened } from './agent-fault';
import { type AgentFetch, agentFetch, isSameServer } from './agent-fetch';
import type { AgentSpec } from './agent-spec';

/** A remote agent whose card was read. */
export interface FoundAgent {
  readonly client: Client;
  /** True if answers are streamed: the local card and the agent's own card both allow it. */
  readonly streams: boolean;
}

const transports: readonly string[] = ['JSONRPC', 'HTTP+JSON'];

/** The part of an agent card that is used. Version 0.3 cards are converted to it by the SDK. */
const shape = z.object({
  name: z.string(),
  supportedInterfaces: z
    .array(
      z.object({
        url: z.string(),
        protocolBinding: z.string(),
        protocolVersion: z.string().default('1.0'),
        tenant: z.string().default(''),
      }),
    )
    .min(1),
  capabilities: z.object({ streaming: z.boolean().nullish() }).nullish(),
});

/** Reads the card of a remote agent and chooses a transport. Throws AgentFault, and errors of `fetch`. */
export async function findAgent(
  card: A2aCard,
  spec: AgentSpec,
  http: GuardedFetch,
  signal: AbortSignal,
): Promise<FoundAgent> {
  const fetchImpl = agentFetch(spec, http);
  const found = await readCard(spec, fetchImpl, signal);
  const wanted = card.transport === undefined ? transports : [card.transport];
  const offered = found.supportedInterfaces.filter(({ protocolBinding }) =>
    wanted.includes(protocolBinding.toUpperCase()),
  );
  if (offered.length === 0) {
    const names = shortened(found.supportedInterfaces.map(({ protocolBinding }) => protocolBinding).join(', '));
    throw new AgentFault(
      'a2a_card',
      `offers ${names}, but ${wanted.join(' or ')} is needed. Change transport in its card.`,
    );
  }
  // Without a preference of ours the SDK takes the first interface, which is the one that the agent prefers.
  const factory = new ClientFactory({
    transports: [
      new JsonRpcTransportFactory({ fetchImpl, legacyCompat: { enabled: true } }),
      new RestTransportFactory({ fetchImpl, legacyCompat: { enabled: true } }),
    ],
  });
  const streaming = found.capabilities?.streaming === true;
  const whole = AgentCard.fromJSON({});
  const client = await factory.createFromAgentCard({
    ...whole,
    name: found.name,
    supportedInterfaces: near(offered, spec),
    capabilities: { extensions: [], streaming },
  });
  return { client, streams: streaming && card.streaming };
}

async function readCard(spec: AgentSpec, fetch: AgentFetch, signal: AbortSignal): Promise<z.infer<typeof shape>> {
  const response = await fetch(spec.cardUrl, { signal, headers: { accept: 'application/json', 'A2A-Version': '1.0' } });
  const where = `${spec.cardUrl.origin}${spec.cardUrl.pathname}`;
  if (!response.ok) {
    void response.body?.cancel();
    const next = 'Check url and relative_card_path in its card.';
    throw new AgentFault('a2a_card', `has no agent card at ${where} (HTTP ${response.status}). ${next}`);
  }
  const resolver = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } });
  const text = await response.text();
  try {
    return shape.parse(resolver.normalizeAgentCard(JSON.parse(text)));
  } catch {
    throw new AgentFault('a2a_card', `sent something at ${where} that is not an agent card. Check url in its card.`);
  }
}

/** Returns the interfaces at the confirmed host and port. */
function near<T extends { readonly url: string }>(interfaces: readonly T[], spec: AgentSpec): T[] {
  const same = interfaces.filter(({ url }) => URL.canParse(url) && isSameServer(new URL(url), spec.url));
  if (same.length > 0) return same;
  const [first] = interfaces;
  const origin = first !== undefined && URL.canParse(first.url) ? new URL(first.url).origin : 'no address';
  throw new AgentFault(
    'a2a_address',
    `is to be called at ${origin} by its agent card, which the local card does not name. Write url: ${origin} with its relative_card_path if you trust it.`,
  );
}
