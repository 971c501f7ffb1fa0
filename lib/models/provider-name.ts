/**
 * Returns the provider at an address, as a value of OpenTelemetry's `gen_ai.provider.name` (semantic-conventions v1.41, and
 * `moonshot_ai` of semantic-conventions-genai). For unlisted hosts, such as proxies and local servers, it is the provider
 * in the model's name, or `openai_compatible` if there is none.
 */
export function providerName(host: string, named: string | undefined): string {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  for (const [suffix, provider] of hosts) if (name === suffix || name.endsWith(`.${suffix}`)) return provider;
  return named === undefined ? 'openai_compatible' : (providers[named] ?? named);
}

const hosts: readonly (readonly [suffix: string, provider: string])[] = [
  ['api.openai.com', 'openai'],
  ['openai.azure.com', 'azure.ai.openai'],
  ['services.ai.azure.com', 'azure.ai.inference'],
  ['api.anthropic.com', 'anthropic'],
  ['generativelanguage.googleapis.com', 'gcp.gemini'],
  ['aiplatform.googleapis.com', 'gcp.vertex_ai'],
  ['api.cohere.com', 'cohere'],
  ['api.cohere.ai', 'cohere'],
  ['api.deepseek.com', 'deepseek'],
  ['api.groq.com', 'groq'],
  ['api.mistral.ai', 'mistral_ai'],
  ['api.moonshot.ai', 'moonshot_ai'],
  ['api.moonshot.cn', 'moonshot_ai'],
  ['api.perplexity.ai', 'perplexity'],
  ['api.x.ai', 'x_ai'],
  ['openrouter.ai', 'openrouter'],
];

/** Lists fast-agent's provider names that differ from those of the conventions. */
const providers: Readonly<Record<string, string>> = {
  'anthropic-vertex': 'gcp.vertex_ai',
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  codexresponses: 'openai',
  generic: 'openai_compatible',
  google: 'gcp.gemini',
  googleoai: 'gcp.gemini',
  moonshot: 'moonshot_ai',
  openresponses: 'openai_compatible',
  responses: 'openai',
  xai: 'x_ai',
};
