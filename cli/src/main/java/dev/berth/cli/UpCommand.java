package dev.berth.cli;

import dev.berth.store.Store;
import dev.berth.store.embedded.EmbeddedStore;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Starts Berth and runs until it is told to stop. */
@Command(
    name = "up",
    description = {
      "Starts Berth and runs until it is interrupted (Ctrl-C) or terminated.",
      "This version opens the store that the API server will stand on, and no more."
    },
    mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {
  @Mixin private DataOption data = new DataOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Store store = EmbeddedStore.open(data.directory(), EmbeddedStore.Options.DEFAULT);
    CountDownLatch closed = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  store.close();
                  out.println("Stopped; everything is in " + data.directory() + ".");
                  out.flush();
                  closed.countDown();
                },
                "shutdown"));
    out.printf(
        "The store in %s is open at revision %d. Ctrl-C stops Berth; \"berth backup FILE\" copies"
            + " the store meanwhile.%n",
        data.directory(), store.revision());
    out.flush();
    closed.await();
    return Main.OK;
  }
}
