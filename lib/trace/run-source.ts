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
  openinference: 'OpenInference',
  openllmetry: 'OpenLLMetry',
  opentelemetry: 'OpenTelemetry',
  atif: 'ATIF',
};

/** Returns the name of who recorded an imported run, and `undefined` for a run of Callboard. */
export function sourceName(source: string): string | undefined {
  return source === ownSource ? undefined : (names[source] ?? source);
}
