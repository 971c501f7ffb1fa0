import { AgentCard, type AgentInterface } from '@a2a-js/sdk';
import { isRecord } from '@/lib/base/json';
import type { ServedAgent } from './served-agent';

/** The media types that are announced. Text is what a run takes and answers; data comes in as text. */
const inputModes = ['text/plain', 'application/json'];
const outputModes = ['text/plain'];

export interface CardPlace {
  /** The address of the endpoint. */
  readonly url: string;
  /** False if everybody on this machine may call it. */
  readonly needsToken: boolean;
}

/** The agent card of a project, version 1.0. It names version 0.3 too, which the endpoint speaks. */
export function agentCard({ projectName, version, entry }: ServedAgent, { url, needsToken }: CardPlace): AgentCard {
  const supported = (protocolVersion: string): AgentInterface => ({
    url,
    protocolBinding: 'JSONRPC',
    protocolVersion,
    tenant: '',
  });
  const description = entry.description ?? `Agent '${entry.name}' of the Callboard project '${projectName}'.`;
  const securityRequirements = needsToken ? [{ schemes: { token: { list: [] } } }] : [];
  return {
    name: projectName,
    description,
    version: String(version),
    supportedInterfaces: [supported('1.0'), supported('0.3')],
    provider: undefined,
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [] },
    securitySchemes: needsToken ? { token: { scheme: { $case: 'httpAuthSecurityScheme', value: bearer } } } : {},
    securityRequirements,
    defaultInputModes: inputModes,
    defaultOutputModes: outputModes,
    skills: [
      {
        id: entry.name,
        name: entry.name,
        description,
        tags: ['callboard', entry.type],
        examples: [],
        inputModes,
        outputModes,
        securityRequirements: [],
      },
    ],
    signatures: [],
  };
}

const bearer = { scheme: 'bearer', bearerFormat: '', description: 'The token that `callboard token` prints.' };

/**
 * The card as JSON. Clients that do not name version 1.0 get the fields of version 0.3, and the interfaces of 1.0 beside them,
 * as the SDK's own server does.
 */
export function agentCardJson(card: AgentCard, version: string | null): Record<string, unknown> {
  const json = AgentCard.toJSON(card);
  if (!isRecord(json)) throw new Error('an agent card is an object');
  if (version !== null && !version.startsWith('0.')) return json;
  const url = card.supportedInterfaces[0]?.url;
  const needsToken = card.securityRequirements.length > 0;
  const { securityRequirements: _, ...shared } = json;
  return {
    ...shared,
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    supportsAuthenticatedExtendedCard: false,
    capabilities: { streaming: true, pushNotifications: false },
    securitySchemes: needsToken ? { token: { type: 'http', scheme: 'bearer', description: bearer.description } } : {},
    security: needsToken ? [{ token: [] }] : [],
  };
}
