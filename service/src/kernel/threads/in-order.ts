/**
 * Runs inputs concurrently, up to a limit, and gives the results in the order of the inputs. Takes no more inputs than
 * it runs, so that memory stays flat.
 *
 * @throws the errors of the inputs or of a run; running work is then abandoned.
 */
export async function* inOrder<Input, Output>(
  inputs: AsyncIterable<Input> | Iterable<Input>,
  most: number,
  run: (input: Input) => Promise<Output>,
): AsyncGenerator<Output> {
  const running: Promise<Output>[] = [];
  for await (const input of inputs) {
    const output = run(input);
    // It is awaited later, in its turn: until then its failure is not unhandled.
    output.catch(() => undefined);
    running.push(output);
    const [first] = running;
    if (running.length < most || first === undefined) continue;
    yield await first;
    void running.shift();
  }
  for (const output of running) yield await output;
}
