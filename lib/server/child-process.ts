const longestFarewellMs = 8_000;

/**
 * Ends this process in good order when it is asked to (SIGTERM, SIGINT) or when its parent is gone: the channel to a parent
 * breaks the moment it dies, even by kill -9.
 */
export function exitWithParent(farewell: () => Promise<void>): void {
  let leaving = false;
  const leave = () => {
    if (leaving) return;
    leaving = true;
    setTimeout(() => process.exit(1), longestFarewellMs).unref();
    farewell().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', leave);
  process.on('SIGINT', leave);
  if (process.connected) process.on('disconnect', leave);
}
