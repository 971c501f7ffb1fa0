export function serveStage(port?: number, options?: { readonly isBuiltOnce?: boolean }): Promise<string>;
