/** Returns the gzipped bytes of scripts of each page of the built app, by its path, and of React and Next alone (`floor`). */
export function pageSizes(): { readonly floor: number; readonly pages: ReadonlyMap<string, number> };
