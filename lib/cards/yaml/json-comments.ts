/** A text in quotes, a comment, or a comma before a closing bracket. */
const parts = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*[}\]])/g;

/** Covers the comments and trailing commas of a JSON text with blanks, so that it is JSON and each place is where it was. */
export function coverComments(text: string): string {
  return text.replace(parts, (part) => (part.startsWith('"') ? part : part.replace(/[^\r\n]/g, ' ')));
}
