/** Programs that serve models at an address of one's own. */
export interface AddressKind {
  readonly id: string;
  readonly title: string;
  /** The section of fast-agent.yaml, and the provider in model strings. */
  readonly section: string;
  /** The address where it usually listens. */
  readonly address: string;
  readonly hint: string;
}

const v1 = 'The address of its API in OpenAI’s format. It usually ends in /v1.';

export const addressKinds: readonly AddressKind[] = [
  { id: 'ollama', title: 'Ollama', section: 'ollama', address: 'http://localhost:11434/v1', hint: v1 },
  { id: 'lm-studio', title: 'LM Studio', section: 'generic', address: 'http://localhost:1234/v1', hint: v1 },
  { id: 'vllm', title: 'vLLM', section: 'generic', address: 'http://localhost:8000/v1', hint: v1 },
  { id: 'litellm', title: 'LiteLLM', section: 'generic', address: 'http://localhost:4000/v1', hint: v1 },
  {
    ...{ id: 'azure', title: 'Azure', section: 'azure', address: 'https://NAME.openai.azure.com' },
    hint: 'The address of the resource. A model is the name of a deployment.',
  },
  { id: 'other', title: 'Another server', section: 'generic', address: 'https://', hint: v1 },
];

/** Returns the name of the secret that holds the key of an address in this section. */
export function secretOfSection(section: string): string {
  return `${section.toUpperCase()}_SERVER_KEY`;
}
