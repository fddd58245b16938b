/**
 * Runs inputs concurrently, up to a limit, and gives the results in the order of the inputs. Takes no more inputs than
 * it runs, so that memory stays flat.
 *
 * @throws the error of a run, and abandons the others; the error of the inputs, after the results of those before it.
 */
export async function* inOrder<Input, Output>(
  inputs: AsyncIterable<Input> | Iterable<Input>,
  most: number,
  run: (input: Input) => Promise<Output>,
): AsyncGenerator<Output> {
  const running: Promise<Output>[] = [];
  let failure: { error: unknown } | undefined;
  async function* taken(): AsyncGenerator<Input> {
    try {
      yield* inputs;
    } catch (error) {
      failure = { error };
    }
  }
  for await (const input of taken()) {
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
  if (failure !== undefined) throw failure.error;
}
