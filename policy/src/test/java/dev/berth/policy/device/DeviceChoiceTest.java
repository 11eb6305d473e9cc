package dev.berth.policy.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.topology.NumaMask;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices are {@code a} to {@code e}; an upper-case letter is one that is unhealthy. */
final class DeviceChoiceTest {
  private static final String RESOURCE = "example.com/thing";

  private static DeviceResource resource(String devices) {
    List<PluginDevice> listed = new ArrayList<>();
    for (String id : letters(devices)) {
      listed.add(
          new PluginDevice(
              id.toLowerCase(Locale.ROOT), id.equals(id.toLowerCase(Locale.ROOT)), List.of()));
    }
    return DeviceResource.registered().list(listed);
  }

  private static Set<String> letters(String word) {
    return word.equals("-")
        ? Set.of()
        : word.chars().mapToObj(Character::toString).collect(Collectors.toSet());
  }

  private static DeviceChoice choose(
      String devices, int size, String has, String reusable, String inUse, boolean prefers) {
    return DeviceChoice.of(
        new DeviceChoice.Request(
            "uid",
            "c",
            RESOURCE,
            size,
            has.equals("-") ? Optional.empty() : Optional.of(letters(has)),
            letters(reusable),
            letters(inUse),
            Optional.empty(),
            prefers),
        Optional.of(resource(devices)));
  }

  @ParameterizedTest(name = "{1} of {0} with {2}, passed on {3}, in use {4}: {5}")
  @CsvSource({
    "abc, 2, -, -, -, ab",
    "abc, 3, -, -, -, abc",
    "abc, 2, -, -, a, bc",
    "Abc, 2, -, -, -, bc",
    "abc, 2, -, c, c, ac",
    "abc, 1, -, bc, bc, b",
    "abc, 2, -, abc, abc, ab",
    "abcd, 3, -, d, bd, acd",
  })
  void firstWhatIsPassedOnThenWhatIsFree(
      String devices, int size, String has, String reusable, String inUse, String chosen) {
    assertThat(choose(devices, size, has, reusable, inUse, false))
        .isInstanceOfSatisfying(
            DeviceChoice.Chosen.class,
            choice -> assertThat(String.join("", choice.devices())).isEqualTo(chosen));
  }

  @ParameterizedTest(name = "{1} of {0} with {2}, in use {3}: {4}")
  @CsvSource(
      delimiter = '|',
      value = {
        "ab  | 3 | -  | -  | requested number of devices unavailable for example.com/thing."
            + " Requested: 3, Available: 2",
        "ab  | 1 | -  | ab | requested number of devices unavailable for example.com/thing."
            + " Requested: 1, Available: 0",
        "aBc | 2 | -  | a  | requested number of devices unavailable for example.com/thing."
            + " Requested: 2, Available: 1",
        "A   | 1 | -  | -  | no healthy devices present; cannot allocate unhealthy devices"
            + " example.com/thing",
        "-   | 1 | -  | -  | no healthy devices present; cannot allocate unhealthy devices"
            + " example.com/thing",
        "Ab  | 1 | a  | a  | previously allocated devices are no longer healthy; cannot allocate"
            + " unhealthy devices example.com/thing",
        "ab  | 2 | a  | a  | pod \"uid\" container \"c\" changed request for resource"
            + " \"example.com/thing\" from 1 to 2",
      })
  void refusals(String devices, int size, String has, String inUse, String message) {
    assertThat(choose(devices, size, has, "-", inUse, true))
        .isEqualTo(new DeviceChoice.Refused(message));
  }

  @Test
  void whatNobodyHasRegisteredCannotBeGiven() {
    DeviceChoice.Request request =
        new DeviceChoice.Request(
            "uid", "c", RESOURCE, 1, Optional.empty(), Set.of(), Set.of(), Optional.empty(), false);
    assertThat(DeviceChoice.of(request, Optional.empty()))
        .isEqualTo(
            new DeviceChoice.Refused("cannot allocate unregistered device example.com/thing"));
  }

  @Test
  void aContainerKeepsItsHealthyDevices() {
    assertThat(choose("abC", 2, "ab", "-", "ab", true)).isEqualTo(new DeviceChoice.Nothing());
  }

  @ParameterizedTest(name = "{1} of {0}, passed on {2}, in use {3}; the plugin prefers {4}: {5}")
  @CsvSource({
    "abcd, 2, -, -, cd, cd",
    "abcd, 2, -, -, -, ab",
    "abcd, 2, -, -, d, ad",
    "abcd, 2, -, -, dcb, bd|cd|bc",
    "abcd, 2, -, d, d, ab",
    "abcd, 2, -, -, xyz, ab",
    "abcd, 3, b, b, cd, bcd",
    "abcD, 2, -, -, d, ab",
  })
  void whatAPluginPrefersGoesFirst(
      String devices, int size, String reusable, String inUse, String preferred, String chosen) {
    DeviceChoice choice = choose(devices, size, "-", reusable, inUse, true);
    assertThat(choice)
        .isInstanceOfSatisfying(
            DeviceChoice.Ask.class,
            ask -> {
              assertThat(ask.size()).isEqualTo(size);
              assertThat(ask.available()).containsAll(ask.reused());
              assertThat(String.join("", ask.chosen(List.copyOf(letters(preferred))).devices()))
                  .isIn((Object[]) chosen.split("\\|", -1));
            });
  }

  @Test
  void nobodyIsAskedWhereThereIsNoChoice() {
    assertThat(choose("ab", 1, "-", "a", "a", true)).isInstanceOf(DeviceChoice.Chosen.class);
  }

  /** Devices are written with their NUMA node; those with an x do not say where they are. */
  @ParameterizedTest(name = "{1} of {0} near {2}, passed on {3}, the plugin prefers {4}: {5}")
  @CsvSource({
    "a0 b0 c1 d1, 1, 1, -, -, c",
    "a0 b0 c1 d1, 2, 1, -, -, cd",
    "a0 b0 c1 d1, 3, 1, -, -, acd",
    "a0 b0 c1 d1, 1, 1, -, d, d",
    "a0 b0 c1 d1, 1, 1, -, a, c",
    "a0 b0 c1 d1, 3, 1, -, b, bcd",
    "ax b0 c1, 2, 1, -, -, bc",
    "ax b0 c1, 3, 1, -, -, abc",
    "a0 b0 c1 d1, 2, 1, b, -, bc",
    "ax bx, 1, 1, -, b, b",
  })
  void devicesNearTheNodesGoFirst(
      String devices, int size, int node, String reusable, String preferred, String chosen) {
    List<PluginDevice> listed = new ArrayList<>();
    for (String device : devices.split(" ", -1)) {
      char where = device.charAt(1);
      listed.add(
          new PluginDevice(
              device.substring(0, 1),
              true,
              where == 'x' ? List.of() : List.of(where - (long) '0')));
    }
    DeviceChoice choice =
        DeviceChoice.of(
            new DeviceChoice.Request(
                "uid",
                "c",
                RESOURCE,
                size,
                Optional.empty(),
                letters(reusable),
                letters(reusable),
                Optional.of(NumaMask.of(node)),
                !preferred.equals("-")),
            Optional.of(DeviceResource.registered().list(listed)));
    DeviceChoice.Chosen end =
        switch (choice) {
          case DeviceChoice.Ask ask -> ask.chosen(List.copyOf(letters(preferred)));
          case DeviceChoice.Chosen made -> made;
          default -> throw new AssertionError(choice);
        };
    assertThat(String.join("", end.devices())).isEqualTo(chosen);
  }
}
