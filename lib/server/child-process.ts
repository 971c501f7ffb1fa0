const longestFarewellMs = 8_000;

/**
 * Calls `farewell` and ends this process on SIGTERM, on SIGINT, or when its parent has died: the channel to the parent closes
 * at that moment, even after SIGKILL.
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
