/**
 * Splits `[provider.]model[?key=value]` and `provider/model` (reference: fast-agent 4.3). A `:suffix` stays part of the
 * name: local servers and fine-tuned models use colons in names of their own.
 */
export interface ModelName {
  readonly provider: string | undefined;
  readonly name: string;
  readonly query: ReadonlyMap<string, string>;
}

const providers: ReadonlySet<string> = new Set([
  'anthropic',
  'anthropic-vertex',
  'deepseek',
  'zai',
  'moonshot',
  'fast-agent',
  'generic',
  'googleoai',
  'google',
  'openai',
  'openrouter',
  'tensorzero',
  'azure',
  'aliyun',
  'hf',
  'xai',
  'metaai',
  'bedrock',
  'groq',
  'codexresponses',
  'responses',
  'openresponses',
]);

export function splitModelName(model: string): ModelName {
  const mark = model.indexOf('?');
  const whole = (mark === -1 ? model : model.slice(0, mark)).trim();
  const query = new Map(mark === -1 ? [] : new URLSearchParams(model.slice(mark + 1)));
  for (const separator of ['/', '.']) {
    const at = whole.indexOf(separator);
    const provider = whole.slice(0, Math.max(at, 0));
    if (providers.has(provider)) return { provider, name: whole.slice(at + 1), query };
  }
  return { provider: undefined, name: whole, query };
}
