export function serveStage(port?: number): Promise<string>;
