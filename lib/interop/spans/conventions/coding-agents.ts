import { type Convention, isScope } from './convention';

/** Codex and Gemini CLI, whose spans of model calls have plain names. */
export const codex: Convention = {
  source: { key: 'codex', isFrom: isScope(/^codex/) },
  kind: (_, reader) => (reader.has('model') && reader.has('input_token_count') ? 'model' : undefined),
  names: {
    inputTokens: ['input_token_count'],
    outputTokens: ['output_token_count'],
    cachedTokens: ['cached_token_count', 'cached_content_token_count'],
    reasoningTokens: ['reasoning_token_count', 'thoughts_token_count'],
  },
};

export const geminiCli: Convention = { source: { key: 'gemini-cli', isFrom: isScope(/^gemini-cli/) } };
