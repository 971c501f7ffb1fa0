/** The source of a run that Callboard executed. */
export const ownSource = 'callboard';

/** Names of sources that are written otherwise than their key. */
const names: Readonly<Record<string, string>> = {
  'callboard-import': 'Callboard (imported)',
  'vercel-ai': 'Vercel AI SDK',
  'openai-agents': 'OpenAI Agents SDK',
  langgraph: 'LangGraph',
  langchain: 'LangChain',
  mastra: 'Mastra',
  'google-adk': 'Google ADK',
  strands: 'Strands Agents',
  'claude-code': 'Claude Code',
  'pydantic-ai': 'Pydantic AI',
  crewai: 'CrewAI',
  autogen: 'AutoGen',
  'agent-framework': 'Agent Framework',
  'llama-index': 'LlamaIndex',
  mlflow: 'MLflow',
  langfuse: 'Langfuse',
  livekit: 'LiveKit',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  openinference: 'OpenInference',
  openllmetry: 'OpenLLMetry',
  opentelemetry: 'OpenTelemetry',
  atif: 'ATIF',
};

/** Returns the name of who recorded an imported run, and `undefined` for a run of Callboard. */
export function sourceName(source: string): string | undefined {
  return source === ownSource ? undefined : (names[source] ?? source);
}
