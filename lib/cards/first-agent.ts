/** The agent of a blank project, and the file of its card. */
export const firstAgent = { name: 'assistant', file: 'agent-cards/assistant.md' } as const;
