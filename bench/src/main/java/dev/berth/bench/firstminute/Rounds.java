package dev.berth.bench.firstminute;

import dev.berth.bench.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was measured of one distribution, run by run. */
final class Rounds {
  private final Map<Figure, List<Double>> measured = new LinkedHashMap<>();

  void add(Figure figure, double value) {
    measured.computeIfAbsent(figure, _ -> new ArrayList<>()).add(value);
  }

  void print() {
    measured.forEach((figure, values) ->
        figure.print(values.stream().mapToDouble(Double::doubleValue).toArray()));
  }
}
