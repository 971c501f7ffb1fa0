export const builtStage: string;
export function buildStage(options?: { readonly onBuilt?: (errors: number) => void | Promise<void> }): Promise<void>;
