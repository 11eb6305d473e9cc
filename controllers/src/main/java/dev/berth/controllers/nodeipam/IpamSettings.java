package dev.berth.controllers.nodeipam;

import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.NodeRange;
import java.util.List;

/**
 * Which addresses nodes get.
 *
 * @param ranges what is given out, one for each family ({@code --cluster-cidr})
 * @param reserved what is not, such as the addresses of services ({@code
 *     --service-cluster-ip-range})
 */
public record IpamSettings(List<NodeRange> ranges, List<Cidr> reserved) {
  public IpamSettings {
    ranges = List.copyOf(ranges);
    reserved = List.copyOf(reserved);
  }
}
