/** Publishes a text under a title. */
export function publish(args: { title: string; text: string }) {
  return `Published “${args.title}”: ${args.text}`;
}

/** Takes a text back. */
export function unpublish(args: { title: string }) {
  return `“${args.title}” is gone.`;
}
