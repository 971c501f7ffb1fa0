/** The config of a slice. A project may have it under another name. */
export const sliceConfig = 'fast-agent.yaml';
