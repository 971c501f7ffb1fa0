import { agentAddressProblem, shownUrl } from '@/lib/base/called-address';
import { hiderOf } from '@/lib/base/hider';
import type { A2aCard } from '@/lib/cards/card';
import { type FillPolicy, SettingsFiller, withoutCredentials } from '@/lib/tools/mcp/settings-filler';

/** The settings with which a remote agent is called, with `${VAR}` filled in. */
export interface AgentSpec {
  /** The name of the local card. */
  readonly name: string;
  /** The address that a person has confirmed. No other host or port is called. */
  readonly url: URL;
  /** The address of the remote agent's own card. */
  readonly cardUrl: URL;
  /** The URL as the user wrote it, for messages. */
  readonly shown: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The longest time without data within one request. */
  readonly timeoutMs: number;
  /** Values to hide in messages. */
  readonly secrets: readonly string[];
  /** Those of the values whose names are secret. They are hidden in answers too. */
  readonly sealed: readonly string[];
}

const wellKnownPath = '.well-known/agent-card.json';

/** Node ends a longer timer immediately. */
const longestTimerMs = 2 ** 31 - 1;

/** Returns the spec of an `a2a` card, or a string with the reason why the agent cannot be called. */
export function agentSpec(card: A2aCard, policy: FillPolicy): AgentSpec | string {
  const filler = new SettingsFiller(policy);
  const headers = filler.fillAll(card.headers);
  const filled = filler.fill(card.url);
  const problem = filler.problem();
  if (problem !== undefined) return problem;
  const misspelt = agentAddressProblem(filled, shownUrl(card.url));
  if (misspelt !== undefined) return misspelt;
  const misplaced = filler.misplaced(new URL(filled).host);
  if (misplaced !== undefined) return misplaced;
  if (!(card.requestTimeoutSeconds > 0)) return 'request_timeout_seconds must be greater than 0.';
  const url = withoutCredentials(new URL(filled), headers);
  return {
    name: card.name,
    url,
    cardUrl: cardUrlOf(url, card.relativeCardPath),
    shown: shownUrl(card.url),
    headers,
    timeoutMs: Math.min(card.requestTimeoutSeconds * 1_000, longestTimerMs),
    ...filler.hidden(),
  };
}

/**
 * Returns the address of the agent's card. As in fast-agent, it is the path below the URL, or the URL itself if that names
 * a card.
 */
function cardUrlOf(url: URL, relativePath: string | undefined): URL {
  if (relativePath === undefined && url.pathname.endsWith('agent-card.json')) return url;
  const cardUrl = new URL(url);
  cardUrl.pathname = `${url.pathname.replace(/\/+$/, '')}/${(relativePath ?? wellKnownPath).replace(/^\/+/, '')}`;
  return cardUrl;
}

/** Replaces each secret in a text with `***`, in any form. */
export function seal(text: string, secrets: readonly string[]): string {
  return hiderOf(secrets).hide(text);
}
