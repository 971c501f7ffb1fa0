import type { Fact, FactNames } from '@/lib/interop/spans/reading/fact';
import { callboard } from './callboard';
import { claudeCode } from './claude-code';
import { codex, geminiCli } from './coding-agents';
import type { Convention } from './convention';
import { crewAi } from './crewai';
import { fastAgent, fastAgentRun } from './fast-agent';
import { genAi, genAiWithoutOperation } from './gen-ai';
import { googleAdk } from './google-adk';
import { infrastructure, mcp } from './infrastructure';
import { agentFramework, autogen, liveKit, llamaIndex, plainNames } from './known-by-scope';
import { langChain, langGraph } from './langchain';
import { langfuse } from './langfuse';
import { langSmith } from './langsmith';
import { mastra } from './mastra';
import { mlflow } from './mlflow';
import { openAiAgents } from './openai-agents';
import { openInference } from './openinference';
import { openLlmetry } from './openllmetry';
import { pydanticAi } from './pydantic-ai';
import { smolagents } from './smolagents';
import { strands } from './strands';
import { vercelAi } from './vercel-ai';

/**
 * All conventions, the most specific first, because a trace may carry several. The first that knows the kind of a span decides, and
 * the first source that any span of a trace has is the source of the run.
 */
export const conventions: readonly Convention[] = [
  ...[
    callboard,
    fastAgent,
    claudeCode,
    mastra,
    openAiAgents,
    langGraph,
    langSmith,
    vercelAi,
    pydanticAi,
    autogen,
    crewAi,
  ],
  ...[smolagents, googleAdk, strands, agentFramework, llamaIndex, genAi, langChain, mlflow, langfuse, liveKit],
  ...[codex, geminiCli, openInference, openLlmetry, mcp, genAiWithoutOperation, infrastructure, fastAgentRun],
  plainNames,
];

/** The names that say each fact, of all conventions. */
export const factNames: FactNames = allNames();
export const jsonTexts: readonly string[] = conventions.flatMap((convention) => convention.jsonTexts ?? []);

function allNames(): FactNames {
  const all = new Map<string, string[]>();
  for (const { names = {} } of conventions) {
    for (const [fact, keys] of Object.entries(names)) all.set(fact, [...(all.get(fact) ?? []), ...keys]);
  }
  return Object.fromEntries([...all].map(([fact, keys]) => [fact, [...new Set(keys)]])) satisfies Record<
    string,
    string[]
  > as Partial<Record<Fact, string[]>>;
}
