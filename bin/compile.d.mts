export const appFolder: string;
export function compile(
  root?: string,
  entries?: readonly string[],
  threads?: readonly string[],
  place?: string,
): Promise<string>;
